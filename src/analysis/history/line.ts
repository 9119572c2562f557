import { z } from 'zod'
import { parseJson } from '../../json/json.ts'

/** Of the lines of the history. */
export const historyVersion = 1

const count = z.number().int().nonnegative()

/** What became of one case against one variant in one run of viva. */
export const historyLineSchema = z.strictObject({
  schema_version: z.number(),
  time: z.string().describe('When that run of viva began'),
  run_id: z.string().describe('The same for all lines of that run'),
  file: z.string().describe('Relative to the project'),
  id: z.string(),
  variant: z.string().describe('Which agent and connector, in words'),
  case_hash: z.string().describe('Of the case as it was written then'),
  runs: count.describe('How often it was played; retries are not counted'),
  passed: count,
  failed: count.describe("By the agent's fault"),
  expected_failures: count.optional().describe('Of those that failed, as many as their author expected'),
  unjudged: count.describe('Failures that are not the agent’s, and skips'),
  skipped: count.optional().describe('Of those not judged, as many as were skipped by their author'),
  flaky: count.optional().describe('Of those that passed, as many as did at a later attempt only'),
  duration_ms: z.number().nonnegative().describe('Of one run, on average'),
  cost: z.number().optional().describe('Of one run, on average, in US dollars; absent when it is not known'),
})

export type HistoryLine = z.infer<typeof historyLineSchema>

/** A newer version may have written more. */
const readable = z.object(historyLineSchema.shape)

/** Strict: nothing but what the schema says goes to the disk. */
export function historyLineText(line: HistoryLine): string {
  return `${JSON.stringify(historyLineSchema.parse(line))}\n`
}

/** Undefined for a line that is torn, or not ours. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  return readable.safeParse(parseJson(text)).data
}
