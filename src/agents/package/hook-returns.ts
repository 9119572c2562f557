import { z } from 'zod'
import { AgentError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { describeIssues } from '../../json/validation/issues.ts'
import type { Data } from '../../results/transcript/message.ts'
import { findNearest } from '../../text/nearest.ts'

/** The agent to which a hook delegates the turn. */
const delegateSchema = z.looseObject({
  agent_id: z.string().min(1),
  messages: z.array(z.unknown()).min(1),
  options: z.record(z.string(), z.unknown()).nullish(),
})

/** What `Create` may change. The Yao engine treats an empty string as not set. */
const createSchema = z.looseObject({
  messages: z.array(z.unknown()).nullish(),
  temperature: z.number().nullish(),
  max_tokens: z.int().nullish(),
  max_completion_tokens: z.int().nullish(),
  audio: z.record(z.string(), z.unknown()).nullish(),
  mcp_servers: z.array(z.unknown()).nullish(),
  prompt_preset: z.string().nullish(),
  disable_global_prompts: z.boolean().nullish(),
  connector: z.string().nullish(),
  locale: z.string().nullish(),
  theme: z.string().nullish(),
  route: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  uses: z.record(z.string(), z.unknown()).nullish(),
  force_uses: z.boolean().nullish(),
  search: z.unknown().optional(),
  delegate: delegateSchema.nullish(),
})

const nextSchema = z.looseObject({
  delegate: delegateSchema.nullish(),
  data: z.unknown().optional(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})

export type Delegate = z.infer<typeof delegateSchema>
export type CreateResult = z.infer<typeof createSchema>
export type NextResult = z.infer<typeof nextSchema>

export const parseCreateResult = (returned: unknown, hook: string) =>
  parseReturned(createSchema, returned, hook)
export const parseNextResult = (returned: unknown, hook: string) => parseReturned(nextSchema, returned, hook)

/** The Yao engine silently drops invalid values; here they are errors. `notes` are for keys that are only probably wrong. */
function parseReturned<T extends z.ZodObject>(
  schema: T,
  returned: unknown,
  hook: string,
): { result?: z.infer<T>; notes: string[] } {
  if (returned === undefined || returned === null) return { notes: [] }
  const parsed = schema.safeParse(returned, { reportInput: true })
  if (!parsed.success)
    throw new AgentError(`${hook} returned an invalid value: ${describeHookIssues(parsed.error, schema)}`)
  return {
    result: parsed.data,
    notes: findMisspeltHookKeys(returned as Data, Object.keys(schema.shape), hook),
  }
}

function describeHookIssues(error: z.ZodError, schema: z.ZodObject): string {
  return describeIssues(error, schema, 'it')
    .map(({ message }) => message)
    .join('; ')
}

/** Some hooks return their whole `ctx`, so only keys that look like a typo are reported. */
function findMisspeltHookKeys(returned: Data, known: readonly string[], hook: string): string[] {
  if (!isRecord(returned)) return []
  return Object.keys(returned).flatMap((key) => {
    const guess = known.includes(key) ? undefined : findNearest(key, known)
    if (guess === undefined) return []
    return `${hook} returned "${key}", which Yao does not know (did you mean "${guess}"?)`
  })
}
