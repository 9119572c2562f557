import { z } from 'zod'
import { resultLineSchema, usageLines } from './line-schema.ts'
import { origins } from './result.ts'
import { shardBases } from './shard.ts'
import { consistencyMethod } from './stability-class.ts'
import { compareVerdicts } from './summary.ts'

/** The lines of a journal that are about the run as a whole. */

const scriptFile = z.strictObject({ file: z.string(), tests: z.number() })

export const startLineSchema = z.strictObject({
  type: z.literal('start').describe('Always `start`'),
  schema_version: z.number().describe('The version of this format'),
  viva_version: z.string().describe('The version of viva'),
  timestamp: z.string().describe('When the run started'),
  plan_hash: z.string().describe('Hash of all cases of the run'),
  total_cases: z.number().describe('The number of cases'),
  multi_turn: z.boolean().optional().describe('Whether a case can have more than one turn'),
  agent_id: z.string().describe('The agent under test'),
  connector: z.string().optional().describe('The connector of the agent'),
  variants: z.array(z.string()).describe('The variants: agent and connector'),
  runs: z.number().describe('How often each case runs'),
  seed: z.number().optional().describe('The value of `--seed`'),
  resumed: z.number().optional().describe('How many results were already in the file (`--resume`)'),
  left_out: z
    .array(z.tuple([z.string(), z.string(), z.string(), z.number()]))
    .optional()
    .describe('File, id, variant and run of earlier results that no longer count'),
  carried_over: z
    .array(z.tuple([z.string(), z.string(), z.string(), z.string()]))
    .optional()
    .describe(
      'With `--changed`: file, id and variant of cases that were not run, because nothing has changed since they passed, and when that was',
    ),
  environment: z
    .strictObject({ user_id: z.string(), team_id: z.string(), locale: z.string() })
    .describe('Who the user is'),
  scripts: z.array(scriptFile).optional().describe('Files of script tests, with the number of their tests'),
  gates: z
    .strictObject({
      case: z.number().optional(),
      confidence: z.number().optional(),
      suite: z.number().optional(),
      stable: z.boolean().optional(),
    })
    .optional()
    .describe('The gates that had to be reached'),
  shard: z
    .strictObject({
      index: z.number().describe('Which part it is, from 1'),
      of: z.number().describe('The number of parts'),
      by: z.enum(shardBases).describe('How the cases are divided (`--shard-by`)'),
      division: z.string().describe('Hash of which case is in which part'),
      plan_hash: z.string().describe('Hash of all cases of the whole run'),
      total_cases: z.number().describe('The number of cases of the whole run'),
      multi_turn: z.boolean().optional().describe('`multi_turn` of the whole run'),
      agent_id: z.string().describe('`agent_id` of the whole run'),
      scripts: z.array(scriptFile).optional().describe('`scripts` of the whole run'),
    })
    .optional()
    .describe('With `--shard`: which part of a larger run it is. `viva merge` needs it'),
  command: z
    .string()
    .optional()
    .describe('The command, without flags that are for one run only (`-o`, `--run`)'),
  origin: z
    .strictObject({
      kind: z.enum(origins),
      from: z.string().describe('The recording or results file'),
      live: z.array(z.string()).optional().describe('The layers that went out again (`--live`)'),
    })
    .optional()
    .describe('What the results were made from; absent for a live run'),
  queue_run: z
    .string()
    .optional()
    .describe('With `--queue`: the name of the run in the queue. `--resume` finds it again'),
})

export const stabilityLineSchema = z.strictObject({
  type: z.literal('stability').describe('Always `stability`'),
  file: z.string().describe('The case file'),
  id: z.string().describe('The id of the case'),
  name: z.string().optional().describe('The name of the case'),
  variant: z.string().describe('The agent and connector'),
  origin: z.enum(origins).optional().describe('Set if the runs are not live: then no pass rate is computed'),
  runs: z.number().describe('How often the case ran'),
  passed: z.number().describe('Runs that passed'),
  failed: z.number().describe('Failures of the agent'),
  expected_failures: z.number().optional().describe('How many of the failures their author expected'),
  unjudged: z
    .number()
    .optional()
    .describe("Failures that are not the agent's, skipped runs, and runs that did not finish"),
  infrastructure_errors: z
    .number()
    .optional()
    .describe('How many of the unjudged runs are infrastructure errors'),
  skipped: z.number().optional().describe('How many of the unjudged runs were skipped'),
  known: z.literal(true).optional().describe('The author expects the case to fail, so no gate applies to it'),
  flaky: z.number().optional().describe('Runs that passed, but not at the first attempt'),
  pass_rate: z
    .number()
    .nullable()
    .describe('Share of the judged runs that passed, 0 to 100; null if they are not live'),
  pass_rate_low: z
    .number()
    .optional()
    .describe("Lower end of Wilson's 95% confidence interval of the pass rate"),
  pass_rate_high: z.number().optional().describe('Upper end of the same interval'),
  consistency: z.number().nullable().describe(`0 to 1: ${consistencyMethod}`),
  stable: z.boolean().describe('Whether every judged run passed; false if they are not live'),
  stability: z
    .enum(['stable', 'mostly stable', 'unstable', 'highly unstable'])
    .nullable()
    .describe('The class of stability'),
  failure_kinds: z
    .record(z.string(), z.number())
    .optional()
    .describe('Number of failures of the agent, by kind'),
  avg_duration_ms: z.number().describe('Average duration of a run'),
  min_duration_ms: z.number().describe('Shortest duration of a run'),
  max_duration_ms: z.number().describe('Longest duration of a run'),
  std_deviation_ms: z.number().describe('Population standard deviation of the duration'),
  p50_duration_ms: z.number().describe('Median duration of a run'),
  p95_duration_ms: z.number().describe('95th percentile of the duration'),
  p99_duration_ms: z.number().describe('99th percentile of the duration'),
  tokens: z.number().optional().describe('Input and output tokens of all runs'),
  cost: z.number().optional().describe('Cost of all runs, in US dollars; absent if unknown'),
})

const gateLine = z.strictObject({
  gate: z.enum(['case', 'suite', 'stable']),
  variant: z.string().optional(),
  required: z.number().describe('0 to 1'),
  status: z.enum(['reached', 'missed', 'undecided']),
  reached: z.number().optional().describe('Number of cases that reached it'),
  missed: z.number().optional().describe('Number of cases that missed it'),
  undecided: z.number().optional().describe('Number of cases for which it is undecided'),
  unjudged: z.number().optional().describe('Number of cases that could not be judged'),
  carried_over: z
    .number()
    .optional()
    .describe('Number of cases that were carried over (`--changed`): the gate does not apply to them'),
  rate: z.number().optional().describe('For the suite: the mean pass rate of its cases, 0 to 100'),
  rate_low: z.number().optional().describe('Lower end of its 95% confidence interval'),
  rate_high: z.number().optional().describe('Upper end of the same interval'),
})

const counts = {
  origin: z
    .enum(origins)
    .optional()
    .describe('Set if the results are not of a live run: then no pass rate is computed'),
  passed: z.number().describe('Results that passed'),
  failed: z.number().describe('Results that failed, including infrastructure errors and bugs in viva'),
  skipped: z.number().describe('Results that were skipped'),
  expected_failures: z.number().describe('Failures that their author expected'),
  interrupted: z.number().describe('Cases that a signal interrupted'),
  not_run: z.number().describe('Cases that did not run'),
  unchecked: z.number().describe('Results for which nothing was checked except that the agent answers'),
  infrastructure_errors: z.number().describe('Failures that are infrastructure errors'),
  infrastructure_skips: z.number().describe('Cases skipped because the simulator failed'),
  viva_failures: z.number().describe('Failures caused by a bug in viva'),
  pass_rate: z
    .number()
    .nullable()
    .describe(
      'The pass rate of the agent, 0 to 100, without infrastructure errors and bugs in viva; null if the run is not live',
    ),
  usage: usageLines.optional().describe('Calls, tokens and cost of all attempts, by role'),
  cost: z.number().optional().describe('Cost of all roles, in US dollars; absent if part of it is unknown'),
  replayed_cost: z
    .number()
    .optional()
    .describe('How much of the cost is that of recorded calls, and was not spent again'),
}

export const summaryLineSchema = z.strictObject({
  type: z.literal('summary').describe('Always `summary`'),
  total: z.number().describe('The number of results'),
  carried_over: z
    .number()
    .optional()
    .describe(
      'With `--changed`: the number of cases that were not run, because nothing has changed since they passed. They are in no other count',
    ),
  ...counts,
  flaky: z.number().describe('Cases that passed, but not at the first attempt'),
  total_turns: z.number().describe('The number of turns'),
  duration_ms: z.number().describe('How long the run took'),
  gates: z.array(gateLine).optional().describe('The results of the gates'),
  spared_runs: z.number().optional().describe('With `--runs auto`: the number of runs that were not needed'),
  comparison: z
    .strictObject({ baseline: z.string(), verdict: z.enum(compareVerdicts), text: z.string() })
    .optional()
    .describe('The comparison with `--baseline`'),
  over_budget: z.string().optional().describe('Why no further case was started: the budget is spent'),
  files_changed: z
    .literal(true)
    .optional()
    .describe(
      'A file that decides results was changed during the run, so that `--changed` carries nothing over from it',
    ),
  auto_parallel: z
    .number()
    .optional()
    .describe('With `--parallel auto`: the largest number of cases that ran at once'),
  variants: z
    .record(z.string(), z.strictObject(counts))
    .optional()
    .describe('The counts of each variant, if there are several'),
  exit_code: z.number().describe('The exit code of the run'),
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
