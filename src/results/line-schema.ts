import { z } from 'zod'
import { origins, terminationReasons } from './result.ts'
import { awaitingReasons } from './transcript/turn.ts'
import { roles } from './usage.ts'

/**
 * A result as a line of the journal. Users rely on these names in their scripts; `schemas/result.schema.json` is
 * generated from here.
 */
const toolCallLine = z.strictObject({
  id: z.string().optional(),
  name: z.string(),
  args: z.unknown(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  stubbed: z.boolean().optional(),
})

const checkLine = z.looseObject({
  type: z.string(),
  passed: z.boolean(),
  status: z.enum(['passed', 'failed', 'unknown', 'error']),
  reason: z.string(),
  expected: z.unknown().optional(),
  actual: z.unknown().optional(),
  score: z.number().optional(),
  details: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Further details from a judge: suggestions, verdicts by criterion, samples'),
  gates: z.literal(false).optional(),
})

const messageLine = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.unknown(),
  name: z.string().optional(),
  tool_calls: z.array(toolCallLine).optional(),
  tool_call_id: z.string().optional(),
})

const tokenFields = {
  input_tokens: z.number().optional(),
  output_tokens: z.number().optional(),
  cached_tokens: z.number().optional().describe('Input tokens that came from the cache of the provider'),
  cost: z.number().optional().describe('In US dollars; absent if the price is unknown'),
}

const turnFields = {
  input: z.unknown().describe('The user’s input'),
  input_source: z.enum(['initial', 'static', 'simulated', 'human']).describe('Where the input came from'),
  description: z.string().optional().describe('The author’s description of the turn'),
  simulator: z
    .strictObject({
      by: z.string().describe('The simulator'),
      format: z.enum(['json', 'text']),
      reasoning: z.string().optional(),
      rejected: z.string().optional().describe('Why the first answer of the simulator could not be used'),
      last: z
        .literal(true)
        .optional()
        .describe('Its goal is achieved: the conversation ends after the reply'),
      tool_calls: z
        .union([z.array(toolCallLine), z.literal('hidden')])
        .optional()
        .describe('The tool calls that the simulator made before its message, or `hidden`'),
    })
    .optional()
    .describe('How the simulator produced the input'),
  message: messageLine.optional().describe('The user message, if it is more than the input'),
  output: z.unknown().optional().describe('What the checks looked at'),
  response: z.string().optional().describe('The text a person would read'),
  messages: z
    .array(messageLine)
    .optional()
    .describe('The messages that the reply added, if they are more than its text'),
  tool_calls: z
    .union([z.array(toolCallLine), z.literal('hidden')])
    .optional()
    .describe('The tool calls, or `hidden` if the agent does not report them'),
  last_user_tool_calls: z
    .array(toolCallLine)
    .optional()
    .describe(
      'The tool calls of a simulator that then ended the conversation without another message, in the last turn',
    ),
  awaiting_input: z.boolean().describe('Whether the agent waits for an answer'),
  awaiting_reason: z.enum(awaitingReasons).describe('How viva knows whether the agent waits'),
  awaiting_match: z.string().optional().describe('The words that decided it'),
  awaiting_declared: z.boolean().optional().describe('What the agent itself declared'),
  input_hint: z.string().optional().describe('What the agent suggests as input'),
  finish_reason: z.string().optional().describe('Why the model stopped'),
  connector: z
    .string()
    .optional()
    .describe('The connector that answered; for several turns, the one that answered most of them'),
  tokens: z
    .strictObject(tokenFields)
    .optional()
    .describe('Tokens of this reply, as far as they were reported'),
  reply_ms: z.number().optional().describe('How long the agent took'),
  assertions: z.array(checkLine).optional().describe('The results of the checks'),
  assertion_errors: z.array(z.string()).optional().describe('Why checks did not pass, one line each'),
  assertions_not_evaluated: z.array(z.string()).optional().describe('Types of checks that did not run'),
}

const turnFieldsSchema = z.object(turnFields)

export const turnLineSchema = z.strictObject({
  turn: z.number(),
  ...turnFields,
  status: z.enum(['passed', 'failed']),
  error: z.string().optional(),
  duration_ms: z.number(),
})

const skippedTurnLine = z.strictObject({
  turn: z.number(),
  status: z.literal('skipped'),
  skip_reason: z.string(),
})

const checkpointLine = z.strictObject({
  id: z.string(),
  description: z.string().optional(),
  passed: z.boolean().describe('Whether it was reached or, if it is forbidden, not reached'),
  reached_at_turn: z.number().optional(),
  after: z.array(z.string()).optional().describe('Checkpoints that must be reached first'),
  status: z
    .enum(['passed', 'failed', 'unknown', 'error', 'waiting'])
    .describe('The last result of its check; `waiting` if checkpoints in `after` are not reached'),
  reason: z.string().describe('Why it was reached, or why not'),
  required: z.literal(false).optional(),
  forbidden: z.literal(true).optional(),
})

const usageLine = z.strictObject({
  calls: z.number(),
  retries: z.number(),
  ...tokenFields,
  unpriced_calls: z.number().optional().describe('Calls whose cost is unknown; `cost` covers the others'),
  answers: z.number().optional().describe('Answers that were parsed as data: verdicts, generated cases'),
  repaired: z.number().optional().describe('How many of them could not be parsed and were sent back once'),
  replayed_calls: z
    .number()
    .optional()
    .describe('How many of the calls were answered from a recording or a results file'),
  replayed_tokens: z.number().optional().describe('Tokens of these calls, when they were made'),
  replayed_cost: z.number().optional().describe('Cost of these calls, when they were made'),
})

export const usageLines = z.partialRecord(z.enum(roles), usageLine)

const scriptLine = z.strictObject({
  assertions: z
    .number()
    .describe('The number of assertions made; `final_assertions` lists those that failed'),
  subtests: z
    .array(
      z.strictObject({
        name: z.string(),
        status: z.enum(['passed', 'failed', 'skipped']),
        duration_ms: z.number(),
        reason: z.string().optional(),
      }),
    )
    .optional(),
})

export const resultLineSchema = z.strictObject({
  type: z.literal('result').describe('Always `result`'),
  file: z.string().describe('The case file'),
  id: z.string().describe('The id of the case'),
  name: z.string().optional().describe('The name of the case'),
  line: z.number().describe('The line of the case in its file'),
  variant: z.string().describe('The agent and connector'),
  run: z.number().describe('The number of the run, from 1 (`--runs`)'),
  attempt: z.number().describe('The number of the attempt, from 1 (`--retries`)'),
  kind: z.literal('script').optional().describe('Set for script tests; all others are conversations'),
  tags: z.array(z.string()).optional().describe('The tags of the case'),
  status: z
    .enum(['passed', 'failed', 'skipped', 'interrupted', 'not_run'])
    .describe('The result of the case'),
  fault: z.enum(['agent', 'infrastructure', 'viva']).optional().describe('Who is responsible for a failure'),
  error_kind: z
    .string()
    .optional()
    .describe('The kind of failure: `assertion`, `timeout`, `agent_error`, `rate_limit`…'),
  error: z.string().nullable().optional().describe('The failure, in one line'),
  skip_reason: z.string().optional().describe('Why the case was skipped'),
  termination: z
    .strictObject({ reason: z.enum(terminationReasons), detail: z.string() })
    .describe('Why the conversation ended'),
  expected_failure: z.string().optional().describe('Why the author expects the case to fail'),
  workers_lost: z
    .number()
    .optional()
    .describe(
      'With `--queue`: how many workers ended while they ran this attempt, before the run was interrupted',
    ),
  retrying: z.boolean().optional().describe('The attempt failed, and the case was repeated'),
  flaky: z.boolean().optional().describe('The case passed, but not at the first attempt'),
  origin: z
    .enum(origins)
    .optional()
    .describe(
      'Set if no agent was asked, or not for everything: the result says nothing new about the agent',
    ),
  unchecked: z.boolean().optional().describe('Nothing was checked except that the agent answers'),
  score: z.number().optional().describe('Weighted share of the checks that passed, 0 to 1'),
  mode: z
    .enum(['single_turn', 'multi_turn'])
    .describe('Whether the conversation could have more than one turn'),
  // Of a single-turn case, its one turn; others have `turns`.
  ...turnFieldsSchema.partial().shape,
  expected: z.unknown().optional().describe('The expected output'),
  history: z.array(messageLine).optional().describe('The messages before the first turn'),
  messages_count: z.number().optional().describe('The number of messages that the case provides'),
  turns: z
    .array(z.discriminatedUnion('status', [turnLineSchema, skippedTurnLine]))
    .optional()
    .describe(
      'The turns. A turn that could not take place is the last one, `skipped` with its `skip_reason`',
    ),
  total_turns: z.number().describe('The number of turns, without a skipped one'),
  script: scriptLine.optional().describe('Details of a script test'),
  final_assertions: z.array(checkLine).optional().describe('The results of the final checks'),
  final_assertions_not_evaluated: z
    .array(z.string())
    .optional()
    .describe('Types of the final checks that did not run, and of the checks of turns that were never sent'),
  checkpoints: z
    .array(checkpointLine)
    .optional()
    .describe('The checkpoints, and in which turn each was reached'),
  usage: usageLines.optional().describe('Calls, tokens and cost, by role'),
  cost: z.number().optional().describe('Cost of all roles, in US dollars; absent if part of it is unknown'),
  logs: z.array(z.string()).optional().describe('Lines of the log'),
  session_id: z.string().describe('The session of the conversation'),
  case_hash: z.string().describe('Hash of the case as it was written'),
  given_hash: z
    .string()
    .optional()
    .describe(
      'Hash of what the case gives the agent besides messages: stubs, metadata, options, user and team',
    ),
  fingerprint: z
    .string()
    .optional()
    .describe(
      'Hash of what else decided it: agent, tools, helpers and settings. Set for passes that `--changed` may carry over',
    ),
  started_at: z.string().describe('When the case started'),
  duration_ms: z.number().describe('How long the case took'),
})

export type ResultLine = z.infer<typeof resultLineSchema>
export type TurnLine = z.infer<typeof turnLineSchema>
export type SkippedTurnLine = z.infer<typeof skippedTurnLine>
export type TurnFields = z.infer<typeof turnFieldsSchema>
export type MessageLine = z.infer<typeof messageLine>
export type CheckpointLine = z.infer<typeof checkpointLine>
export type ScriptLine = z.infer<typeof scriptLine>
export type CheckLine = z.infer<typeof checkLine>
export type UsageLines = z.infer<typeof usageLines>
export type ToolCallLine = z.infer<typeof toolCallLine>
