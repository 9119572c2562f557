import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError, messageOf } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { parseJsonc } from '../json/json-syntax.ts'
import { issuesOf } from '../json/validation/issues.ts'

const flag = z.boolean().optional()
const text = z.string().optional()

/** A `--ctx` file: the user and everything else about the environment. */
export const contextFileSchema = z.strictObject({
  chat_id: z
    .string()
    .min(1)
    .optional()
    .describe('Used for every conversation instead of a new id; the second run appends `-run2`'),
  authorized: z
    .strictObject({
      sub: text.describe('Subject (JWT sub claim)'),
      client_id: text.describe('OAuth client'),
      scope: text.describe('Access scope'),
      session_id: text.describe('Session'),
      user_id: text.describe('User (beats `-u`)'),
      team_id: text.describe('Team (beats `-t`)'),
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
    .optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  client: z.strictObject({ type: text, user_agent: text, ip: text }).optional(),
  locale: text,
  referer: text,
  accept: text,
})

export type ContextFile = z.infer<typeof contextFileSchema>

/** Looks for the file in the working folder first, then in `folders`. */
export function readContextFile(named: string, folders: readonly string[]): ContextFile {
  const candidates = [resolve(named), ...folders.map((folder) => resolve(folder, named))]
  const path = candidates.find((candidate) => existsSync(candidate)) ?? resolve(named)
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigError({ code: 'no_such_file', message: `--ctx ${path}: ${messageOf(error)}` })
  }
  const parsed = contextFileSchema.safeParse(parseJsonc(content, path), { reportInput: true })
  if (parsed.success) return parsed.data
  throw new ConfigError(
    issuesOf(parsed.error, contextFileSchema, 'the context').map(({ code, message, hint }) => ({
      code,
      message,
      file: path,
      ...defined({ hint }),
    })),
  )
}
