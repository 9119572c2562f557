import { z } from 'zod'
import { terminationReasons } from './result.ts'
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
    .describe('More about the verdict of a judge: suggestions, findings by criterion, samples'),
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
  cached_tokens: z.number().optional().describe('The part of the input that the provider had in its cache'),
  cost: z.number().optional().describe('In US dollars; absent when the price is unknown'),
}

const turnFields = {
  input: z.unknown(),
  input_source: z.enum(['initial', 'static', 'simulated', 'human']),
  description: z.string().optional().describe('What this turn is about, according to the author'),
  simulator: z
    .strictObject({
      by: z.string().describe('The simulator'),
      format: z.enum(['json', 'text']),
      reasoning: z.string().optional(),
      rejected: z.string().optional().describe('Why its first answer could not be used'),
    })
    .optional()
    .describe('How the simulator made the input'),
  message: messageLine.optional().describe('The user message, if it has more than the input'),
  output: z.unknown().optional().describe('The output that was checked'),
  response: z.string().optional().describe('The text of the reply'),
  messages: z
    .array(messageLine)
    .optional()
    .describe('The messages that the reply added, if they are more than its text'),
  tool_calls: z.union([z.array(toolCallLine), z.literal('hidden')]).optional(),
  awaiting_input: z.boolean(),
  awaiting_reason: z.enum(awaitingReasons),
  awaiting_match: z.string().optional(),
  awaiting_declared: z.boolean().optional(),
  input_hint: z.string().optional(),
  finish_reason: z.string().optional(),
  connector: z
    .string()
    .optional()
    .describe('The connector that answered, or the one that answered most turns'),
  tokens: z
    .strictObject(tokenFields)
    .optional()
    .describe('The tokens of this reply, as far as they were reported'),
  reply_ms: z.number().optional().describe('How long the agent took'),
  assertions: z.array(checkLine).optional(),
  assertion_errors: z.array(z.string()).optional(),
  assertions_not_evaluated: z.array(z.string()).optional(),
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
  passed: z.boolean().describe('Reached, or not reached if it is forbidden'),
  reached_at_turn: z.number().optional(),
  after: z.array(z.string()).optional().describe('The checkpoints that must be reached before'),
  status: z
    .enum(['passed', 'failed', 'unknown', 'error', 'waiting'])
    .describe('The status of its last check; `waiting` while checkpoints before it are not reached'),
  reason: z.string().describe('Why it was reached or not'),
  required: z.literal(false).optional(),
  forbidden: z.literal(true).optional(),
})

const usageLine = z.strictObject({
  calls: z.number(),
  retries: z.number(),
  ...tokenFields,
  unpriced_calls: z.number().optional().describe('Calls whose cost is unknown; `cost` is that of the others'),
  answers: z.number().optional().describe('Answers that had to be data: verdicts, generated cases'),
  repaired: z
    .number()
    .optional()
    .describe('How many of the answers could not be read and were asked for again'),
})

export const usageLines = z.partialRecord(z.enum(roles), usageLine)

const scriptLine = z.strictObject({
  assertions: z.number().describe('The number of assertions; `final_assertions` has those that failed'),
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
  type: z.literal('result'),
  file: z.string(),
  id: z.string(),
  name: z.string().optional(),
  line: z.number(),
  variant: z.string(),
  run: z.number(),
  attempt: z.number(),
  kind: z.literal('script').optional().describe('A script test; others are conversations'),
  tags: z.array(z.string()).optional(),
  status: z.enum(['passed', 'failed', 'skipped', 'interrupted', 'not_run']),
  fault: z.enum(['agent', 'infrastructure', 'viva']).optional(),
  error_kind: z.string().optional(),
  error: z.string().nullable().optional(),
  skip_reason: z.string().optional(),
  termination: z.strictObject({ reason: z.enum(terminationReasons), detail: z.string() }),
  expected_failure: z.string().optional().describe('Why the author expects it to fail'),
  retrying: z.boolean().optional().describe('It failed and was retried'),
  flaky: z.boolean().optional().describe('It passed, but not at the first attempt'),
  unchecked: z.boolean().optional().describe('It has no checks: it passes if the agent answers'),
  score: z.number().optional().describe('The weighted share of checks that passed, 0 to 1'),
  mode: z.enum(['single_turn', 'multi_turn']),
  // A single-turn case has the fields of its turn here; others have `turns`.
  ...turnFieldsSchema.partial().shape,
  expected: z.unknown().optional(),
  history: z.array(messageLine).optional(),
  messages_count: z.number().optional(),
  turns: z
    .array(z.discriminatedUnion('status', [turnLineSchema, skippedTurnLine]))
    .optional()
    .describe('If there was no next user message, the last one is `skipped`, with its `skip_reason`'),
  total_turns: z.number().describe('Not counting a skipped turn'),
  script: scriptLine.optional().describe('What a script test did'),
  final_assertions: z.array(checkLine).optional(),
  final_assertions_not_evaluated: z
    .array(z.string())
    .optional()
    .describe('The types of final checks, and of checks of turns that were never sent'),
  checkpoints: z.array(checkpointLine).optional(),
  usage: usageLines.optional().describe('Calls, tokens and cost, by role'),
  cost: z
    .number()
    .optional()
    .describe('The cost of all roles, in US dollars; absent when part of it is unknown'),
  logs: z.array(z.string()).optional(),
  session_id: z.string(),
  case_hash: z.string(),
  started_at: z.string(),
  duration_ms: z.number(),
})

export type ResultLine = z.infer<typeof resultLineSchema>
export type TurnLine = z.infer<typeof turnLineSchema>
export type SkippedTurnLine = z.infer<typeof skippedTurnLine>
export type TurnFields = z.infer<typeof turnFieldsSchema>
export type MessageLine = z.infer<typeof messageLine>
export type CheckpointLine = z.infer<typeof checkpointLine>
export type ScriptLine = z.infer<typeof scriptLine>
export type CheckLine = z.infer<typeof checkLine>
export type TokensLine = NonNullable<TurnFields['tokens']>
export type UsageLines = z.infer<typeof usageLines>
export type ToolCallLine = z.infer<typeof toolCallLine>
