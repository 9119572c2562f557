import { z } from 'zod'
import { optionalOptions } from '../checks/context-options.ts'
import { assertionSchema } from '../checks/list.ts'
import { missingInputs } from '../conversation/plan.ts'
import { durationSchema as duration } from '../json/validation/duration-schema.ts'
import { schemaReference } from '../json/validation/schema-reference.ts'
import { auditAgents } from './audit-agents.ts'
import { conditionSchema } from './conditions.ts'
import { stubsSchema } from './stubs.ts'

/**
 * The whole case format in one place: types, validation, `schemas/case.schema.json` and the reference
 * table in the docs are generated from it.
 */

const data = z.record(z.string(), z.unknown())
const anything = z.unknown().optional()
const optionalText = z.string().optional()
const optionalName = z.string().min(1).optional()
const optionalCount = z.int().min(1).optional()
const optionalBoolean = z.boolean().optional()

const toolCall = z
  .strictObject({
    id: z.string().describe('The id, which the `tool` message with the result repeats'),
    type: z.literal('function').optional().describe('Always `function`'),
    function: z
      .strictObject({
        name: z.string().describe('The name of the tool'),
        arguments: z.string().describe('The arguments, as JSON text'),
      })
      .describe('The tool and its arguments'),
  })
  .meta({ id: 'message-tool-call' })

const source = z
  .string()
  .regex(/^(file|https?|data):/, { error: 'must begin with file://, http://, https:// or data:' })
  .describe('A `file://` path (next to the case file, in the agent’s folder or in the app), or a URL')

const media = { source, name: optionalText.describe('The name of the file') }

const partType = <const Type extends string>(type: Type, about: string) => z.literal(type).describe(about)

const contentPart = z
  .discriminatedUnion('type', [
    z.strictObject({ type: partType('text', 'A text'), text: z.string().describe('The text') }),
    z.strictObject({ type: partType('image', 'An image'), ...media }),
    z.strictObject({ type: partType('audio', 'A sound'), ...media }),
    z.strictObject({ type: partType('file', 'A file'), ...media }),
    z.strictObject({
      type: partType('image_url', "An image, in OpenAI's format"),
      image_url: z
        .union([
          source,
          z.strictObject({ url: source, detail: optionalText.describe('How closely the model looks at it') }),
        ])
        .describe('The image: a URL, or `{url, detail}`'),
    }),
    z.strictObject({ type: partType('data', 'Any data'), data: z.unknown().describe('The data') }),
  ])
  .meta({ id: 'content-part' })

export const messageSchema = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']).describe('Who the message is from'),
    content: z
      .union([z.string(), z.array(contentPart), z.null()])
      .describe('Text, or a list of content parts'),
    name: optionalText.describe('The name of the speaker or the tool'),
    tool_calls: z.array(toolCall).optional().describe("An assistant's tool calls, in OpenAI's format"),
    tool_call_id: optionalText.describe('In a `tool` message: the id of the call that it answers'),
  })
  .meta({ id: 'message', examples: [{ role: 'user', content: 'Hello' }] })

const assertions = z.union([assertionSchema, z.array(assertionSchema)])

export const attachmentSchema = z
  .strictObject({ type: z.enum(['image', 'audio', 'file']).describe('The kind of file'), ...media })
  .meta({ id: 'attachment' })

// An object with a `role` is meant as a message, so a misspelt message must not pass as a free object.
const value = data.refine((object) => !('role' in object), { error: 'is not a valid message', abort: true })

const input = z.union([z.string(), messageSchema, z.array(messageSchema), value])

export const turnSchema = z
  .strictObject({
    input: input.describe('The user message'),
    description: optionalText.describe('Shown in the reports'),
    assert: assertions.optional().describe('Checks on the reply of this turn'),
    assertions: assertions.optional().describe('The same as `assert`'),
    expected: anything.describe('The output must equal this; not checked if there is an `assert`'),
    options: optionalOptions.describe('Options for this turn; they override those of the case'),
    attachments: z.array(attachmentSchema).optional().describe('Files to send with the message'),
    stubs: stubsSchema.optional().describe('Stubs for this turn; they override those of the case'),
  })
  .meta({ id: 'turn', examples: [{ input: 'Hello', assert: { type: 'contains', value: 'Hi' } }] })

export const simulatorSchema = z
  .strictObject({
    use: optionalName.describe(
      'An agent, as for `-n`, or a script. The default is `--simulator`, or else `viva.simulator`',
    ),
    persona: optionalText.describe('Who the user is'),
    goal: optionalText.describe('What the user wants'),
    max_turns: optionalCount.describe('Maximum number of turns; overrides that of the case'),
    facts: anything.describe(
      'Everything that the user knows; if the agent asks for anything else, the user does not know it',
    ),
    opening: optionalName.describe('The first message, word for word'),
    stubs: stubsSchema
      .optional()
      .describe('Tools of the user to replace; `stubs` of the case are for the tools of the agent'),
    metadata: data.optional().describe('Passed to the simulator'),
    options: optionalOptions.describe(
      'Options for the calls to the simulator; their `metadata` overrides everything else',
    ),
  })
  .meta({ id: 'simulator', examples: [{ persona: 'A busy customer', goal: 'Cancel an order' }] })

export const checkpointSchema = z
  .strictObject({
    id: z.string().min(1).describe('Unique in its case'),
    description: optionalText.describe('A description for readers'),
    assert: assertions.optional().describe('The checkpoint is reached when a reply passes this'),
    assertion: assertions.optional().describe('The same as `assert`'),
    after: z
      .array(z.string())
      .optional()
      .describe('Checkpoints that must be reached earlier, or in the same turn'),
    required: optionalBoolean.describe('`false`: the checkpoint is optional'),
    forbidden: optionalBoolean.describe('`true`: the checkpoint must never be reached'),
  })
  .meta({ id: 'checkpoint' })

export const interactiveSchema = z
  .strictObject({
    enabled: optionalBoolean.describe('The same as `--interactive`, for this case'),
    timeout: duration.optional().describe('How long the person may take (default 5m)'),
  })
  .meta({ id: 'interactive' })

const outcome = z.enum(['pass', 'fail']).optional()

export const caseSchema = z.strictObject({
  $schema: schemaReference,
  id: z.string().min(1).describe('Unique in its file'),
  name: optionalText.describe('A readable name'),
  description: optionalText.describe('A description for readers of the file; not printed'),
  type: z
    .enum(['single_turn', 'multi_turn'])
    .optional()
    .describe(
      'Usually left out: a case is `multi_turn` if the conversation can continue after the first reply',
    ),
  tags: z.array(z.string().min(1)).optional().describe('Tags, by which `--tag` selects cases'),
  skip: z.union([z.boolean(), z.string()]).optional().describe('Skip the case; a string gives the reason'),

  input: input
    .optional()
    .describe('The user message: text, a message, a list of messages, or any object for module agents'),
  messages: z.array(messageSchema).min(1).optional().describe('A list of messages; overrides `input`'),
  turns: z
    .array(turnSchema)
    .min(1)
    .optional()
    .describe('User messages with their checks; all of them are sent, in this order'),
  simulator: simulatorSchema.optional().describe('An agent or a script that plays the user'),
  interactive: interactiveSchema.optional().describe('Ask a person for the next message'),
  on_missing_input: z
    .enum(missingInputs)
    .optional()
    .describe('What to do when the agent waits for an answer and nobody answers (default `skip`)'),
  max_turns: optionalCount.describe(
    'Maximum number of turns (default 20, or the number of `turns` if that is larger)',
  ),

  assert: assertions.optional().describe('Checks on the reply; with `turns`, on the last reply'),
  assertions: assertions.optional().describe('The same as `assert`'),
  expected: anything.describe('The output must equal this; not checked if there is an `assert`'),
  final_assertions: assertions
    .optional()
    .describe('Checks after the end of the conversation, on the last reply or, for some types, on all turns'),
  checkpoints: z
    .array(checkpointSchema)
    .min(1)
    .optional()
    .describe('What must happen in the conversation, in any turn'),
  terminate_when: z
    .array(conditionSchema)
    .min(1)
    .optional()
    .describe('The conversation ends when any of these conditions is met'),
  on_condition_met: outcome.describe(
    'The outcome when a condition in `terminate_when` is met (default `pass`)',
  ),
  on_max_turns_reached: outcome.describe('The outcome when the turn limit is reached first (default `fail`)'),
  on_exhausted: outcome.describe(
    'The outcome when all turns were sent and no condition was met (default `fail` if one of the other two is set)',
  ),
  stop_on_failure: optionalBoolean.describe('End the conversation at the first failed check'),
  expected_failure: z
    .strictObject({
      reason: z.string().min(1).describe('Why it fails; shown in the reports'),
      until: z.iso.date().optional().describe('After this day, a failure counts again'),
    })
    .optional()
    .describe('A known failure, which does not fail the run; if the case passes, the reports say so'),
  audit_allows: z
    .array(z.enum(auditAgents))
    .min(1)
    .optional()
    .describe(
      'Agents of `viva audit` that may pass this case; for example, `refusing` if the request must be refused',
    ),

  timeout: duration.optional().describe('Limit for the whole case (default 5m); overrides `--timeout`'),
  turn_timeout: duration.optional().describe('Limit for each turn'),
  retries: z
    .int()
    .min(0)
    .max(20)
    .optional()
    .describe('How often a failed case is repeated at most; overrides `--retries`'),

  user: optionalText.describe('The user (`-u` and `--ctx` override it)'),
  team: optionalText.describe('The user’s team (`-t` and `--ctx` override it)'),
  metadata: data.optional().describe('Passed to the agent in its context'),
  options: optionalOptions.describe('Options for every call to the agent'),
  stubs: stubsSchema.optional().describe('Tools to replace, and what they return instead'),
  before: optionalText.describe(
    'Script to call before the case, with `(ctx, case)`. What it returns is passed to `after`; if it is an object, its keys become variables',
  ),
  after: optionalText.describe(
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
