import { z } from 'zod'
import { parseJson } from '../../json/json.ts'

/** The version of the format of history lines. */
export const historyVersion = 1

const count = z.number().int().nonnegative()

/** The results of one case with one variant in one run of viva. */
export const historyLineSchema = z.strictObject({
  schema_version: z.number(),
  time: z.string().describe('When the run of viva began'),
  run_id: z.string().describe('The same for all lines of a run'),
  file: z.string().describe('The case file, relative to the project'),
  id: z.string().describe('The id of the case'),
  variant: z.string().describe('The agent and connector, as text'),
  case_hash: z.string().describe('Hash of the case as it was written then'),
  fingerprint: z
    .string()
    .optional()
    .describe(
      'Hash of what else decided the result; set if all runs passed, viva saw everything, and `--changed` may carry the case over',
    ),
  runs: count.describe('How often the case ran; retries are not counted'),
  passed: count.describe('Runs that passed'),
  failed: count.describe('Failures of the agent'),
  expected_failures: count.optional().describe('How many of the failures their author expected'),
  unjudged: count.describe('Failures that are not the agent’s, and skipped runs'),
  skipped: count.optional().describe('How many of the unjudged runs were skipped by their author'),
  flaky: count.optional().describe('How many of the passed runs passed only at a later attempt'),
  duration_ms: z.number().nonnegative().describe('Average duration of one run'),
  cost: z.number().optional().describe('Average cost of one run, in US dollars; absent if unknown'),
})

export type HistoryLine = z.infer<typeof historyLineSchema>

/** A newer version may have written more fields. */
const readable = z.object(historyLineSchema.shape)

/** Only fields of the schema are written to disk. */
export function historyLineText(line: HistoryLine): string {
  for (const name in line)
    if (!(name in historyLineSchema.shape)) throw new Error(`history lines have no field ${name}`)
  return `${JSON.stringify(line)}\n`
}

/** Undefined for an incomplete line, or one that viva did not write. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  return readable.safeParse(parseJson(text)).data
}
