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
  .describe('`file://` beside the case file, in the agent’s folder or in the app; or a URL')

const media = { source, name: z.string().optional().describe('What the file is called') }

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
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(contentPart), z.null()]).describe('Text, or a list of content parts'),
  name: z.string().optional(),
  tool_calls: z.array(toolCall).optional().describe("An assistant's tool calls, in OpenAI's form"),
  tool_call_id: z.string().optional().describe('On a `tool` message: the call it answers'),
})

const assertions = z.union([assertionSchema, z.array(assertionSchema)])

export const attachmentSchema = z.strictObject({ type: z.enum(['image', 'audio', 'file']), ...media })

// An object with a `role` is meant as a message, so a misspelt message must not pass as a free object.
const value = data.refine((object) => !('role' in object), { error: 'is not a valid message', abort: true })

const input = z.union([z.string(), messageSchema, z.array(messageSchema), value])

export const turnSchema = z.strictObject({
  input: input.describe('The user message'),
  description: z.string().optional().describe('For the reports'),
  assert: assertions.optional().describe('Checks on the reply of this turn'),
  assertions: assertions.optional().describe('The same as `assert`'),
  expected: z.unknown().optional().describe('The output, exactly'),
  options: optionsSchema.optional().describe("Over the case's options, for this turn"),
  attachments: z.array(attachmentSchema).optional().describe('Files to send along with the message'),
  stubs: stubsSchema.optional().describe("Over the case's stubs, for this turn"),
})

export const simulatorSchema = z.strictObject({
  use: z
    .string()
    .min(1)
    .optional()
    .describe('An agent, as `-n` takes it; without it `--simulator`, else `viva.simulator`'),
  persona: z.string().optional().describe('Who the user is'),
  goal: z.string().optional().describe('What they want'),
  max_turns: z.int().min(1).optional().describe("Most turns; beats the case's"),
  facts: z.unknown().optional().describe('All that the user knows; asked for more, they do not know it'),
  opening: z.string().min(1).optional().describe('Their first message, word for word'),
  metadata: data.optional().describe('Told to the simulator'),
  options: optionsSchema.optional().describe('For the calls to it; their `metadata` beats all else'),
})

export const checkpointSchema = z.strictObject({
  id: z.string().min(1).describe('Unique in its case'),
  description: z.string().optional().describe('For people'),
  assert: assertions.optional().describe('Holds of a reply when it is reached'),
  assertion: assertions.optional().describe('The same as `assert`'),
  after: z.array(z.string()).optional().describe('Checkpoints that must be reached before, or with it'),
  required: z.boolean().optional().describe('`false`: it may be missed'),
  forbidden: z.boolean().optional().describe('`true`: it must never be reached'),
})

export const interactiveSchema = z.strictObject({
  enabled: z.boolean().optional().describe('As `--interactive` for this case'),
  timeout: duration.optional().describe('How long a person may take (5m)'),
})

const outcome = z.enum(['pass', 'fail'])

export const caseSchema = z.strictObject({
  id: z.string().min(1).describe('Unique in its file'),
  name: z.string().optional().describe('For people'),
  description: z.string().optional().describe('For people; not printed'),
  type: z
    .enum(['single_turn', 'multi_turn'])
    .optional()
    .describe('Inferred; `multi_turn` when somebody goes on after the first message'),
  tags: z.array(z.string().min(1)).optional().describe('For `--tag`'),
  skip: z.union([z.boolean(), z.string()]).optional().describe('Do not play it; a string says why'),

  input: input
    .optional()
    .describe('The user message: text, a message, a list of messages, or any object for module agents'),
  messages: z.array(messageSchema).min(1).optional().describe('The list form of `input`; beats it'),
  turns: z.array(turnSchema).min(1).optional().describe("The author's turns; all are sent"),
  simulator: simulatorSchema.optional().describe('An agent that plays the user'),
  interactive: interactiveSchema.optional().describe('Ask a person for the next message'),
  on_missing_input: z
    .enum(['skip', 'fail', 'end'])
    .optional()
    .describe('When the agent waits for an answer and no turn is left (default `skip`)'),
  max_turns: z.int().min(1).optional().describe('Most turns (default 20, or as many as `turns`)'),

  assert: assertions.optional().describe('Checks on the reply; beside `turns`, on the last one'),
  assertions: assertions.optional().describe('The same as `assert`'),
  expected: z.unknown().optional().describe('The output, exactly; `assert` beats it'),
  final_assertions: assertions.optional().describe('Checks on the whole conversation, after it ended'),
  checkpoints: z.array(checkpointSchema).min(1).optional().describe('What the conversation must reach'),
  terminate_when: z.array(conditionSchema).min(1).optional().describe('Conditions that end it: any of them'),
  on_condition_met: outcome
    .optional()
    .describe('What it means that one of `terminate_when` was met (default `pass`)'),
  on_max_turns_reached: outcome
    .optional()
    .describe('What it means that none was met before the limit (default `fail`)'),
  on_exhausted: outcome
    .optional()
    .describe('What it means that all turns were sent before (default `fail` beside another of these)'),
  stop_on_failure: z.boolean().optional().describe('End the conversation at the first failed check'),
  expected_failure: z
    .strictObject({
      reason: z.string().min(1),
      until: z.iso.date().optional().describe('After that day it gates again'),
    })
    .optional()
    .describe('A known failure that does not gate; when it passes, that is told'),
  audit_allows: z
    .array(z.enum(auditAgents))
    .min(1)
    .optional()
    .describe('Agents of `viva audit` that may pass it: what must be refused passes for `refusing`'),

  timeout: duration.optional().describe('For the whole case (default 5m); beats `--timeout`'),
  turn_timeout: duration.optional().describe('For each turn'),
  retries: z.int().min(0).max(20).optional().describe('Plays again after a failure; beats `--retries`'),

  user: z.string().optional().describe('Who asks (`-u` and `--ctx` beat it)'),
  team: z.string().optional().describe('Their team (`-t` and `--ctx` beat it)'),
  metadata: data.optional().describe('Reaches the agent in its context'),
  options: optionsSchema.optional().describe('Options of every call to the agent'),
  stubs: stubsSchema.optional().describe('Tools that are not called, and what they answer'),
  before: z
    .string()
    .optional()
    .describe(
      'Script to call before the case, with `(ctx, case)`; what it returns is for `after`, and as an object among the variables',
    ),
  after: z
    .string()
    .optional()
    .describe(
      'Script to call after the case, whatever came of it, with `(ctx, case, result, what before returned)`',
    ),
  attachments: z.array(attachmentSchema).optional().describe('Files to send along with the message'),
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
