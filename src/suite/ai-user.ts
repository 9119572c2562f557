import { z } from 'zod'
import { askHelper } from '../agents/helpers/ask.ts'
import { createAiUser } from '../agents/helpers/viva-simulator.ts'
import { parseSimulatorAnswer } from '../conversation/simulator.ts'
import { type SaidBefore, type SimulatorAnswer, usableAnswer } from '../conversation/simulator-guards.ts'
import { InfrastructureError } from '../errors.ts'
import { asJson } from '../json/as-json.ts'
import { defined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { ConversationContext } from './conversation-context.ts'
import { answeredNames, spokenField, spokenIn, spokenInput } from './held-values.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { isAgent, type ProviderOrAgent, toModel } from './provider.ts'
import { findScope } from './scope-of.ts'

/** The options of `aiUser`. */
export interface AiUserOptions<Input, Output, Built extends Input = Input> {
  /** A model, or a simulated user of a project (`EvalProject.simulator`), which gets `systemPrompt` as its `persona`. */
  provider: ProviderOrAgent
  /** Who the user is and what they want; may change as the conversation goes on. */
  systemPrompt: string | ((context: ConversationContext<Input, Output>) => string | Promise<string>)
  /** What the model is shown of the conversation. Default: all of it, a line of JSON for each message. */
  formatHistory?: ((context: ConversationContext<Input, Output>) => string | Promise<string>) | undefined
  /** Makes an input of what the model wrote. Default: as the first input, with other words; the first is a text. */
  buildInput?:
    | ((response: string, context: ConversationContext<Input, Output>) => Built | Promise<Built>)
    | undefined
}

/** A simulated user without `buildInput`: words its inputs as the first one, and begins conversations with a text. */
type WordingUser<Input, Output> = ((context: ConversationContext<Input, Output>) => Promise<Input>) & {
  readonly opensWith?: string
}

/** Marks a function that asks a model for the input: reports say so. */
const simulated = Symbol('simulated')

export function isAiUser(input: unknown): boolean {
  return typeof input === 'function' && simulated in input
}

/** Whether it is a simulated user without `buildInput`, which needs an input to word like. */
export function needsExample(input: unknown): boolean {
  return typeof input === 'function' && simulated in input && input[simulated] === likeTheFirst
}

const aiUserOptions = lazySchema(() =>
  z.strictObject({
    provider: z.unknown(),
    systemPrompt: z.union([fields.text(), fields.callable()]),
    formatHistory: fields.callable().optional(),
    buildInput: fields.callable().optional(),
  }),
)

/**
 * Creates a follow-up input that a model writes, in the role of the user. Inputs and outputs have the types of the
 * case that it is used in; `buildInput` may return a narrower type than the input.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { aiUser, createEvalSuite, createScriptedProvider, fieldEquals } from 'vivavoce'
 *
 * const agent = {
 *   execute: (message: string) =>
 *     /four/i.test(message) ? { reply: 'Booked.', done: true } : { reply: 'For how many?', done: false },
 * }
 * const user = aiUser({
 *   provider: createScriptedProvider(['For four people, please']),
 *   systemPrompt: 'You want a table for four on Friday.',
 * })
 * const { results } = await createEvalSuite({ agent }).run([
 *   {
 *     input: 'A table for Friday',
 *     multiTurn: {
 *       followUpInputs: [{ input: user, turns: Infinity }],
 *       terminateWhen: [fieldEquals('done', true)],
 *     },
 *   },
 * ])
 * assert.equal(results[0]?.passed, true)
 */
// biome-ignore lint/suspicious/noExplicitAny: where nothing says what inputs and outputs are, they are not checked
export function aiUser<Input = any, Output = any>(
  options: Omit<AiUserOptions<Input, Output>, 'buildInput'> & { buildInput?: undefined },
): WordingUser<Input, Output>
// biome-ignore lint/suspicious/noExplicitAny: see above
export function aiUser<Input = any, Output = any, Built extends Input = Input>(
  options: AiUserOptions<Input, Output, Built>,
): (context: ConversationContext<Input, Output>) => Promise<Built>
export function aiUser<Input, Output, Built extends Input>(
  options: AiUserOptions<Input, Output, Built>,
): (context: ConversationContext<Input, Output>) => Promise<Built> {
  checkOptions(aiUserOptions, options, 'aiUser')
  const { provider, systemPrompt, formatHistory = spokenMessages, buildInput = likeTheFirst<Built> } = options
  const [agent, readAnswer] = isAgent(provider)
    ? [provider, (reply: Reply) => parseSimulatorAnswer(reply, provider.id)]
    : [createAiUser(toModel(provider)), understand]
  const next = async (context: ConversationContext<Input, Output>) => {
    const persona = typeof systemPrompt === 'function' ? await systemPrompt(context) : systemPrompt
    if (typeof persona !== 'string' || persona.trim() === '') throw new Error('systemPrompt gave no text')
    const conversation = await formatHistory(context)
    if (typeof conversation !== 'string' && options.formatHistory)
      throw new Error('formatHistory gave no text')
    const told = { persona, conversation, ...(isAgent(provider) && stateOf(context)) }
    const scope = findScope(context)
    const ask = async (problem?: string) => {
      const params = { ...told, ...defined({ problem }) }
      return readAnswer(await askHelper(agent, { role: 'simulator', params, options: {} }, scope))
    }
    const { answer } = await usableAnswer(ask, saidBefore(context), scope, 'the simulated user')
    return buildInput(answer.message, context)
  }
  return Object.assign(next, { [simulated]: buildInput })
}

/** What an agent that plays the user is also told by case files. */
function stateOf({ history, currentTurn }: ConversationContext<unknown, unknown>): Data {
  const last = history.at(-1)
  return {
    test_mode: 'simulator',
    last_response: last === undefined ? '' : spokenIn(asJson(last.output), answeredNames),
    turn_number: currentTurn,
    turn_count: currentTurn - 1,
  }
}

/** Models like to say who speaks. */
function understand({ content, finishReason }: Reply): SimulatorAnswer {
  const message = content.trim().replace(/^(?:user|customer|me)\s*:\s*/i, '')
  return { format: 'text', message, goalAchieved: false, cutOff: finishReason === 'length', isFree: true }
}

function spokenMessages({ history }: ConversationContext<unknown, unknown>): Data[] {
  return history.flatMap(({ input, output }) => [
    { role: 'user', content: spokenInput(input) },
    { role: 'assistant', content: spokenIn(asJson(output), answeredNames) },
  ])
}

function saidBefore(context: ConversationContext<unknown, unknown>): SaidBefore {
  const words = (role: string) =>
    spokenMessages(context).flatMap((message) => (message.role === role ? [String(message.content)] : []))
  return { own: words('user'), replies: words('assistant') }
}

function likeTheFirst<Input>(response: string, { history }: ConversationContext): Input {
  const first = history[0]?.input
  // Nothing shows what inputs are like when it begins the conversation.
  if (history.length === 0 || typeof first === 'string') return response as Input
  const field = spokenField(first)
  if (field !== undefined && isRecord(first)) return { ...first, [field]: response } as Input
  throw new InfrastructureError(
    'simulator_error',
    'aiUser does not know where the words go in the input of this agent: give it `buildInput`',
  )
}
