import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError, errorMessage } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { parseJsonc } from '../json/json-syntax.ts'
import { describeIssues } from '../json/validation/issues.ts'
import { readOnce } from '../json/validation/read-once.ts'

const flag = z.boolean().optional()
const text = z.string().optional()

/** A `--ctx` file: the user and everything else about the environment. */
export const contextFileSchema = z.strictObject({
  chat_id: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The chat id of every conversation, instead of a new one for each; in the second run, `-run2` is appended',
    ),
  authorized: z
    .strictObject({
      sub: text.describe('Subject (JWT sub claim)'),
      client_id: text.describe('OAuth client'),
      scope: text.describe('Access scope'),
      session_id: text.describe('Session'),
      user_id: text.describe('User (overrides `-u`)'),
      team_id: text.describe('Team (overrides `-t`)'),
      tenant_id: text.describe('Tenant'),
      remember_me: flag,
      constraints: z
        .strictObject({
          owner_only: flag,
          creator_only: flag,
          editor_only: flag,
          team_only: flag,
          extra: z.record(z.string(), z.unknown()).optional(),
        })
        .optional(),
    })
    .optional()
    .describe('Who the user is: `user_id`, `team_id`, `scope`, `constraints`…'),
  metadata: z.record(z.string(), z.unknown()).optional().describe('Metadata for every case'),
  client: z
    .strictObject({ type: text, user_agent: text, ip: text })
    .optional()
    .describe('The client: `type`, `user_agent` and `ip`'),
  locale: text.describe('Locale (overrides `--locale`)'),
  referer: text.describe('Where the request comes from'),
  accept: text.describe('The kind of response that the client accepts'),
})

export type ContextFile = z.infer<typeof contextFileSchema>

/** Looked for in these folders, in this order. Where there is none, its path in the first of them. */
export function findContextFile(named: string, folders: readonly string[]): string {
  const candidates = folders.map((folder) => resolve(folder, named))
  return candidates.find((candidate) => existsSync(candidate)) ?? candidates[0] ?? named
}

export function readContextFile(named: string, folders: readonly string[]): ContextFile {
  const path = findContextFile(named, folders)
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError({ code: 'no_such_file', message: `--ctx ${path}: ${errorMessage(error)}` })
  }
  const parsed = contextFileSchema.safeParse(parseJsonc(content, path), readOnce)
  if (parsed.success) return parsed.data
  throw new ConfigError(
    describeIssues(parsed.error, contextFileSchema, 'the context').map(({ code, message, hint }) => ({
      code,
      message,
      file: path,
      ...defined({ hint }),
    })),
  )
}
