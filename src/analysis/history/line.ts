import { z } from 'zod'
import { parseJson } from '../../json/json.ts'

/** The version of the format of history lines. */
export const historyVersion = 1

const count = z.number().int().nonnegative()

/** The results of one case with one variant in one run of viva. */
export const historyLineSchema = z.strictObject({
  schema_version: z.number(),
  time: z.string().describe('When that run of viva started'),
  run_id: z.string().describe('The same for all lines of that run'),
  file: z.string().describe('Relative to the project'),
  id: z.string(),
  variant: z.string().describe('The agent and its connector'),
  case_hash: z.string().describe('The hash of the case as it was written then'),
  runs: count.describe('The number of runs, not counting retries'),
  passed: count,
  failed: count.describe("Failures that are the agent's fault"),
  expected_failures: count.optional().describe('How many of the failures were expected by the author'),
  unjudged: count.describe('Failures that are not the agent’s fault, and skips'),
  skipped: count.optional().describe('How many of the unjudged were skipped by the author'),
  flaky: count.optional().describe('How many of the passed ones passed only on retry'),
  duration_ms: z.number().nonnegative().describe('The mean per run'),
  cost: z.number().optional().describe('The mean per run, in US dollars; absent when unknown'),
})

export type HistoryLine = z.infer<typeof historyLineSchema>

/** A newer version may have written more fields. */
const readable = z.object(historyLineSchema.shape)

/** Strict: only fields of the schema are written to disk. */
export function historyLineText(line: HistoryLine): string {
  return `${JSON.stringify(historyLineSchema.parse(line))}\n`
}

/** Undefined for an incomplete line, or one that viva did not write. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  return readable.safeParse(parseJson(text)).data
}
