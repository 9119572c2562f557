import { z } from 'zod'
import { resultLineSchema, usageLines } from './line-schema.ts'
import { consistencyMethod } from './stability-class.ts'
import { compareVerdicts } from './summary.ts'

/** The lines of a journal that are about the run as a whole. */

export const startLineSchema = z.strictObject({
  type: z.literal('start'),
  schema_version: z.number(),
  viva_version: z.string(),
  timestamp: z.string(),
  plan_hash: z.string(),
  total_cases: z.number(),
  multi_turn: z.boolean().optional().describe('Some case can have more than one turn'),
  agent_id: z.string(),
  connector: z.string().optional(),
  variants: z.array(z.string()),
  runs: z.number(),
  seed: z.number().optional(),
  resumed: z.number().optional(),
  left_out: z
    .array(z.tuple([z.string(), z.string(), z.string(), z.number()]))
    .optional()
    .describe('File, id, variant and run of results before this line that no longer count'),
  environment: z.strictObject({ user_id: z.string(), team_id: z.string(), locale: z.string() }),
  scripts: z
    .array(z.strictObject({ file: z.string(), tests: z.number() }))
    .optional()
    .describe('Files of script tests, with the number of their tests in this run'),
  gates: z
    .strictObject({
      case: z.number().optional(),
      confidence: z.number().optional(),
      suite: z.number().optional(),
      stable: z.boolean().optional(),
    })
    .optional()
    .describe('The gates of the run'),
  command: z
    .string()
    .optional()
    .describe('The command, without flags that are for a single run (`-o`, `--run`)'),
})

export const stabilityLineSchema = z.strictObject({
  type: z.literal('stability'),
  file: z.string(),
  id: z.string(),
  name: z.string().optional(),
  variant: z.string(),
  runs: z.number(),
  passed: z.number(),
  failed: z.number().describe("Failures that are the agent's fault"),
  expected_failures: z.number().optional().describe('How many of the failures the author expects'),
  unjudged: z
    .number()
    .optional()
    .describe("Failures that are not the agent's fault, skips, and runs that did not finish"),
  infrastructure_errors: z
    .number()
    .optional()
    .describe('How many of the unjudged runs are infrastructure errors'),
  skipped: z.number().optional().describe('How many of the unjudged runs are skips'),
  known: z.literal(true).optional().describe('The author expects it to fail: no gate applies'),
  flaky: z.number().optional().describe('Runs that passed, but not at the first attempt'),
  pass_rate: z.number().nullable().describe('Percentage of the runs that could be judged, 0 to 100'),
  pass_rate_low: z.number().optional().describe("Wilson's 95 % interval of the pass rate"),
  pass_rate_high: z.number().optional(),
  consistency: z.number().nullable().describe(`0 to 1: ${consistencyMethod}`),
  stable: z.boolean(),
  stability: z.enum(['stable', 'mostly stable', 'unstable', 'highly unstable']).nullable(),
  failure_kinds: z
    .record(z.string(), z.number())
    .optional()
    .describe("The number of the agent's failures of each kind"),
  avg_duration_ms: z.number(),
  min_duration_ms: z.number(),
  max_duration_ms: z.number(),
  std_deviation_ms: z.number().describe('The population standard deviation'),
  p50_duration_ms: z.number(),
  p95_duration_ms: z.number(),
  p99_duration_ms: z.number(),
  tokens: z.number().optional().describe('Input and output tokens of all runs'),
  cost: z.number().optional().describe('The cost of all runs, in US dollars; absent when unknown'),
})

const gateLine = z.strictObject({
  gate: z.enum(['case', 'suite', 'stable']),
  variant: z.string().optional(),
  required: z.number().describe('0 to 1'),
  status: z.enum(['reached', 'missed', 'undecided']),
  reached: z.number().optional().describe('Cases'),
  missed: z.number().optional(),
  undecided: z.number().optional(),
  unjudged: z.number().optional().describe('Cases that could not be judged'),
  rate: z.number().optional().describe('For the suite: the mean of the pass rates of its cases, 0 to 100'),
  rate_low: z.number().optional().describe('Its 95 % interval'),
  rate_high: z.number().optional(),
})

const counts = {
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  expected_failures: z.number().describe('Failures that their author expects'),
  interrupted: z.number(),
  not_run: z.number(),
  unchecked: z.number(),
  infrastructure_errors: z.number(),
  infrastructure_skips: z.number().describe('Skipped because the simulator failed'),
  viva_failures: z.number().describe('Failures because of bugs in viva'),
  pass_rate: z
    .number()
    .nullable()
    .describe('The pass rate of the agent, 0 to 100; infrastructure errors and bugs in viva do not count'),
  usage: usageLines.optional().describe('Calls, tokens and cost of all attempts, by role'),
  cost: z
    .number()
    .optional()
    .describe('The cost of all roles, in US dollars; absent when part of it is unknown'),
}

export const summaryLineSchema = z.strictObject({
  type: z.literal('summary'),
  total: z.number(),
  ...counts,
  flaky: z.number(),
  total_turns: z.number(),
  duration_ms: z.number(),
  gates: z.array(gateLine).optional().describe('The results of `--gate` and the other gates'),
  spared_runs: z.number().optional().describe('With `--runs auto`: runs that were not needed'),
  comparison: z
    .strictObject({ baseline: z.string(), verdict: z.enum(compareVerdicts), text: z.string() })
    .optional()
    .describe('With `--baseline`'),
  over_budget: z.string().optional().describe('Why no further case was started'),
  variants: z
    .record(z.string(), z.strictObject(counts))
    .optional()
    .describe('The counts of each variant, if there are several'),
  exit_code: z.number(),
})

export const journalLineSchema = z.discriminatedUnion('type', [
  startLineSchema,
  resultLineSchema,
  stabilityLineSchema,
  summaryLineSchema,
])
export type StartLine = z.infer<typeof startLineSchema>
export type StabilityLine = z.infer<typeof stabilityLineSchema>
export type SummaryLine = z.infer<typeof summaryLineSchema>
