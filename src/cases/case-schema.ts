import { z } from 'zod'
import { optionsSchema } from '../checks/context-options.ts'
import { assertionSchema } from '../checks/list.ts'
import { durationSchema as duration } from '../json/validation/duration-schema.ts'
import { auditAgents } from './audit-agents.ts'
import { conditionSchema } from './conditions.ts'
import { stubsSchema } from './stubs.ts'

/**
 * The whole case format in one place: types, validation, `schemas/case.schema.json` and the reference
 * table in the docs are generated from it. A field marked `notYet` is rejected, never ignored.
 */
declare module 'zod' {
  interface GlobalMeta {
    notYet?: boolean
  }
}

const data = z.record(z.string(), z.unknown())

const toolCall = z.strictObject({
  id: z.string(),
  type: z.literal('function').optional(),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})

const source = z
  .string()
  .regex(/^(file|https?|data):/, { error: 'must begin with file://, http://, https:// or data:' })
  .describe('A `file://` path (next to the case file, in the agent’s folder or in the app), or a URL')

const media = { source, name: z.string().optional().describe('The name of the file') }

const contentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image'), ...media }),
  z.strictObject({ type: z.literal('audio'), ...media }),
  z.strictObject({ type: z.literal('file'), ...media }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.union([source, z.strictObject({ url: source, detail: z.string().optional() })]),
  }),
  z.strictObject({ type: z.literal('data'), data: z.unknown() }),
])

export const messageSchema = z.strictObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who the message is from'),
  content: z.union([z.string(), z.array(contentPart), z.null()]).describe('Text, or a list of content parts'),
  name: z.string().optional().describe('The name of the speaker or the tool'),
  tool_calls: z.array(toolCall).optional().describe("An assistant's tool calls, in OpenAI's format"),
  tool_call_id: z.string().optional().describe('In a `tool` message: the id of the call that it answers'),
})

const assertions = z.union([assertionSchema, z.array(assertionSchema)])

export const attachmentSchema = z.strictObject({ type: z.enum(['image', 'audio', 'file']), ...media })

// An object with a `role` is meant as a message, so a misspelt message must not pass as a free object.
const value = data.refine((object) => !('role' in object), { error: 'is not a valid message', abort: true })

const input = z.union([z.string(), messageSchema, z.array(messageSchema), value])

export const turnSchema = z.strictObject({
  input: input.describe('The user message'),
  description: z.string().optional().describe('Shown in the reports'),
  assert: assertions.optional().describe('Checks on the reply of this turn'),
  assertions: assertions.optional().describe('The same as `assert`'),
  expected: z.unknown().optional().describe('The exact output'),
  options: optionsSchema.optional().describe('Options for this turn; they override those of the case'),
  attachments: z.array(attachmentSchema).optional().describe('Files to send with the message'),
  stubs: stubsSchema.optional().describe('Stubs for this turn; they override those of the case'),
})

export const simulatorSchema = z.strictObject({
  use: z
    .string()
    .min(1)
    .optional()
    .describe('An agent, as for `-n`. The default is `--simulator`, or else `viva.simulator`'),
  persona: z.string().optional().describe('Who the user is'),
  goal: z.string().optional().describe('What the user wants'),
  max_turns: z.int().min(1).optional().describe('Maximum number of turns; overrides that of the case'),
  facts: z
    .unknown()
    .optional()
    .describe('Everything that the user knows; when asked for more, they do not know it'),
  opening: z.string().min(1).optional().describe('The first message, word for word'),
  metadata: data.optional().describe('Passed to the simulator'),
  options: optionsSchema
    .optional()
    .describe('Options for the calls to the simulator; their `metadata` overrides everything else'),
})

export const checkpointSchema = z.strictObject({
  id: z.string().min(1).describe('Unique in its case'),
  description: z.string().optional().describe('A description for readers'),
  assert: assertions.optional().describe('The checkpoint is reached when a reply passes this'),
  assertion: assertions.optional().describe('The same as `assert`'),
  after: z
    .array(z.string())
    .optional()
    .describe('Checkpoints that must be reached earlier, or in the same turn'),
  required: z.boolean().optional().describe('`false`: the checkpoint may be missed'),
  forbidden: z.boolean().optional().describe('`true`: the checkpoint must never be reached'),
})

export const interactiveSchema = z.strictObject({
  enabled: z.boolean().optional().describe('The same as `--interactive`, for this case'),
  timeout: duration.optional().describe('How long the person may take (default 5m)'),
})

const outcome = z.enum(['pass', 'fail'])

export const caseSchema = z.strictObject({
  id: z.string().min(1).describe('Unique in its file'),
  name: z.string().optional().describe('A readable name'),
  description: z.string().optional().describe('A description for readers of the file; not printed'),
  type: z
    .enum(['single_turn', 'multi_turn'])
    .optional()
    .describe('Inferred: `multi_turn` when the conversation can go on after the first message'),
  tags: z.array(z.string().min(1)).optional().describe('For `--tag`'),
  skip: z.union([z.boolean(), z.string()]).optional().describe('Skip the case; a string gives the reason'),

  input: input
    .optional()
    .describe('The user message: text, a message, a list of messages, or any object for module agents'),
  messages: z.array(messageSchema).min(1).optional().describe('The list form of `input`; overrides it'),
  turns: z.array(turnSchema).min(1).optional().describe("The author's turns; all of them are sent"),
  simulator: simulatorSchema.optional().describe('An agent that plays the user'),
  interactive: interactiveSchema.optional().describe('Ask a person for the next message'),
  on_missing_input: z
    .enum(['skip', 'fail', 'end'])
    .optional()
    .describe('What to do when the agent waits for an answer and no turn is left (default `skip`)'),
  max_turns: z
    .int()
    .min(1)
    .optional()
    .describe('Maximum number of turns (default 20, or the number of `turns` if that is larger)'),

  assert: assertions.optional().describe('Checks on the reply; with `turns`, on the last reply'),
  assertions: assertions.optional().describe('The same as `assert`'),
  expected: z.unknown().optional().describe('The exact output; `assert` overrides it'),
  final_assertions: assertions.optional().describe('Checks on the whole conversation, after its end'),
  checkpoints: z.array(checkpointSchema).min(1).optional().describe('What the conversation must reach'),
  terminate_when: z
    .array(conditionSchema)
    .min(1)
    .optional()
    .describe('The conversation ends when any of these conditions is met'),
  on_condition_met: outcome
    .optional()
    .describe('The outcome when a condition in `terminate_when` is met (default `pass`)'),
  on_max_turns_reached: outcome
    .optional()
    .describe('The outcome when the turn limit is reached first (default `fail`)'),
  on_exhausted: outcome
    .optional()
    .describe(
      'The outcome when all turns were sent and no condition was met (default `fail` if one of the other two is set)',
    ),
  stop_on_failure: z.boolean().optional().describe('End the conversation at the first failed check'),
  expected_failure: z
    .strictObject({
      reason: z.string().min(1),
      until: z.iso.date().optional().describe('After this day, a failure counts again'),
    })
    .optional()
    .describe('A known failure, which does not fail the run; if the case passes, the reports say so'),
  audit_allows: z
    .array(z.enum(auditAgents))
    .min(1)
    .optional()
    .describe(
      'Agents of `viva audit` that may pass this case; a request that must be refused allows `refusing`',
    ),

  timeout: duration.optional().describe('Limit for the whole case (default 5m); overrides `--timeout`'),
  turn_timeout: duration.optional().describe('Limit for each turn'),
  retries: z
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('How often a failed case is repeated; overrides `--retries`'),

  user: z.string().optional().describe('The user (`-u` and `--ctx` override it)'),
  team: z.string().optional().describe('The user’s team (`-t` and `--ctx` override it)'),
  metadata: data.optional().describe('Passed to the agent in its context'),
  options: optionsSchema.optional().describe('Options for every call to the agent'),
  stubs: stubsSchema.optional().describe('Tools to replace, and what they return instead'),
  before: z
    .string()
    .optional()
    .describe(
      'Script to call before the case, with `(ctx, case)`. What it returns is passed to `after`; if it is an object, its keys become variables',
    ),
  after: z
    .string()
    .optional()
    .describe(
      'Script to call after the case, whatever its result, with `(ctx, case, result, what before returned)`',
    ),
  attachments: z.array(attachmentSchema).optional().describe('Files to send with the message'),
})

export type AuthoredCase = z.infer<typeof caseSchema>
export type AuthoredCheckpoint = z.infer<typeof checkpointSchema>
export type AuthoredTurn = z.infer<typeof turnSchema>
export type AuthoredMessage = z.infer<typeof messageSchema>
export type AuthoredPart = z.infer<typeof contentPart>
export type AuthoredAttachment = z.infer<typeof attachmentSchema>

/** The keys of a schema that are not implemented yet. */
export function notYetKeys(schema: z.ZodObject): string[] {
  return Object.entries(schema.shape)
    .filter(([, field]) => (field as z.ZodType).meta()?.notYet === true)
    .map(([key]) => key)
}
