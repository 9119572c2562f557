import type { Agent } from '../agents/agent.ts'
import { askHelper } from '../agents/helpers/ask.ts'
import { vivaSimulator } from '../agents/helpers/viva-simulator.ts'
import { errorMessage, InfrastructureError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { extractJson } from '../json/extract-json.ts'
import { isRecord } from '../json/json.ts'
import { type Data, type Message, messageText, type ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import {
  lastAgentMessage,
  listMessages,
  listUserCalls,
  type Simulated,
  type View,
} from '../results/transcript/turn.ts'
import type { StandIn } from '../scope/context.ts'
import type { Scope } from '../scope/scope.ts'
import { createUserStandIn, StubPlayer, type Stubs } from '../tools/stubs.ts'
import { listMissingCheckpoints } from './checkpoints.ts'
import type { ConversationState, MessageSource, NextStep, UserMessage } from './plan.ts'
import { type SaidBefore, type SimulatorAnswer, usableAnswer } from './simulator-guards.ts'

/** The agent that plays the user, and its instructions. */
export interface Simulator {
  id: string
  agent(): Promise<Agent>
  /** Passed to it unchanged; its metadata is added to the parameters. */
  options: Data
  /** `persona`, `goal`, `facts` and other metadata of the author. */
  brief: Data
  /** The exact first message. */
  opening?: string
  /** Stubs for its own tools. */
  stubs?: Stubs
  /** `--stub-all`: its tools without a stub must not be called. */
  stubAll?: boolean
}

/** An agent that plays the user after the author's turns. */
export function simulatorSource(simulator: Simulator): MessageSource {
  const standIn = createStandIns(simulator)
  return {
    kind: 'simulator',
    wants(view) {
      const last = view.turns.at(-1)
      // A simulator that answers in JSON says when its goal is achieved. Before its first answer the format is not known.
      const format = view.turns.findLast((turn) => turn.simulated)?.simulated?.format ?? 'json'
      return last === undefined || last.awaiting.awaiting || format === 'json'
    },
    async next(standing, scope) {
      const { opening } = simulator
      if (opening !== undefined && standing.view.turns.length === 0)
        return simulatedMessage(opening, { by: simulator.id, format: 'json' })
      try {
        return await askSimulator(simulator, standing, standIn(standing.view), scope)
      } catch (error) {
        scope.stop.throwIfAborted()
        const message = `simulator error: ${errorMessage(error)}`
        throw new InfrastructureError('simulator_error', message, { cause: error })
      }
    },
  }
}

/** The stand-in for the user's tools in each conversation: the answers of a sequence go on from turn to turn. */
function createStandIns({ stubs = {}, stubAll = false }: Simulator): (view: View) => StandIn | undefined {
  if (Object.keys(stubs).length === 0 && !stubAll) return () => undefined
  const players = new WeakMap<View, StubPlayer>()
  return (view) => {
    const player = players.get(view) ?? new StubPlayer()
    players.set(view, player)
    return createUserStandIn([stubs], player, stubAll)
  }
}

async function askSimulator(
  simulator: Simulator,
  standing: ConversationState,
  standIn: StandIn | undefined,
  scope: Scope,
): Promise<NextStep> {
  const agent = await simulator.agent()
  // What it did before an answer that could not be used was done all the same.
  const replies: Reply[] = []
  const { answer, rejected } = await usableAnswer(
    async (problem) => {
      const params = {
        ...simulator.brief,
        ...conversationParameters(standing, scope),
        ...defined({ problem }),
      }
      const request = { role: 'simulator', params, options: simulator.options, standIn } as const
      const reply = await askHelper(agent, request, scope)
      replies.push(reply)
      return parseSimulatorAnswer(reply, agent.id)
    },
    saidBefore(standing.view),
    scope,
  )
  return toNextStep(
    simulator,
    { ...answer, ...defined({ rejected, toolCalls: joinCalls(replies) }) },
    standing,
  )
}

function joinCalls(replies: readonly Reply[]): Simulated['toolCalls'] {
  const calls: ToolCall[] = []
  for (const { toolCalls } of replies) {
    if (toolCalls === 'hidden') return 'hidden'
    calls.push(...toolCalls)
  }
  return calls.length === 0 ? undefined : calls
}

function saidBefore({ turns }: View): SaidBefore {
  const own = turns.filter(({ source }) => source === 'simulated')
  return {
    own: own.map(({ input }) => (typeof input.value === 'string' ? input.value : '')),
    replies: turns.map(({ reply }) => reply?.content ?? ''),
  }
}

/** The parameters that describe the conversation. */
function conversationParameters({ view, checkpoints, maxTurns }: ConversationState, scope: Scope): Data {
  const conversation = listSpokenMessages(view)
  const done = view.turns.length
  const tool_results = lastToolResults(view)
  const { sessionId: session_id, variables } = scope.context
  const pending = listMissingCheckpoints(checkpoints).map(({ id }) => id)
  const ownCalls = view.turns.flatMap(listUserCalls)
  return {
    test_mode: 'simulator',
    test_id: scope.key.id,
    session_id,
    conversation,
    last_response: view.turns.at(-1)?.reply?.content ?? lastAgentMessage(view) ?? '',
    turn_number: done + 1,
    turn_count: done,
    max_turns: maxTurns,
    tool_results,
    context: { session_id, messages: conversation, tool_results, turn_count: done },
    ...(checkpoints.length === 0
      ? {}
      : {
          checkpoints_reached: checkpoints.filter(({ turn }) => turn !== undefined).map(({ id }) => id),
          checkpoints_pending: pending,
        }),
    ...(ownCalls.length === 0 ? {} : { own_tool_calls: ownCalls.map(describeCall) }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
  }
}

function describeCall({ name, arguments: args, result, error }: ToolCall): Data {
  return { name, arguments: args, ...(error === undefined ? { result } : { error }) }
}

/** The messages that a user would see, without prompts and tools. */
function listSpokenMessages(view: View): Pick<Message, 'role' | 'content'>[] {
  return listMessages(view)
    .filter(({ role, content }) => (role === 'user' || role === 'assistant') && messageText(content) !== '')
    .map(({ role, content }) => ({ role, content: messageText(content) }))
}

/** The last result of each tool, by name. */
function lastToolResults(view: View): Data {
  const calls = view.turns.flatMap(({ reply }) =>
    reply === undefined || reply.toolCalls === 'hidden' ? [] : reply.toolCalls,
  )
  return Object.fromEntries(
    calls.map(({ name, result, error }) => [name, error === undefined ? result : { error }]),
  )
}

/**
 * Parses JSON, also in a fence or in prose, if it has one of the known keys. Any other answer is the message itself,
 * except from the built-in simulator, which was asked for JSON.
 */
export function parseSimulatorAnswer({ output, content, finishReason }: Reply, id: string): SimulatorAnswer {
  const data = isRecord(output) ? output : extractJson(messageText(output) || content)?.value
  const cutOff = finishReason === 'length' && !isRecord(output)
  if (!isRecord(data) || !['input', 'message', 'goal_achieved'].some((key) => key in data)) {
    const message = (messageText(output) || content).trim()
    return { format: 'text', message, goalAchieved: false, cutOff, notJson: id === vivaSimulator }
  }
  const reasoning = messageText(data.reasoning)
  return {
    format: 'json',
    message: messageText(data.input ?? data.message).trim(),
    goalAchieved: data.goal_achieved === true,
    cutOff,
    ...(typeof (data.goal_achieved ?? false) === 'boolean' ? {} : { wrongGoal: data.goal_achieved }),
    ...(reasoning === '' ? {} : { reasoning }),
  }
}

function toNextStep(
  { id }: Simulator,
  answer: SimulatorAnswer & Pick<Simulated, 'rejected' | 'toolCalls'>,
  { view }: ConversationState,
): NextStep {
  const { format, message, goalAchieved, reasoning, rejected, toolCalls } = answer
  const lastCalls = toolCalls === 'hidden' ? undefined : toolCalls
  if (message === '') return { end: 'goal_achieved', ...defined({ reasoning, toolCalls: lastCalls }) }
  // A simulator that writes plain text only answers questions, and there was none.
  if (format === 'text' && view.turns.length > 0 && !view.turns.at(-1)?.awaiting.awaiting)
    return { end: 'exhausted', ...defined({ toolCalls: lastCalls }) }
  const last = goalAchieved ? true : undefined
  return simulatedMessage(message, { by: id, format, ...defined({ reasoning, rejected, toolCalls, last }) })
}

function simulatedMessage(text: string, simulated: Simulated): UserMessage {
  return {
    say: { value: text, message: { role: 'user', content: text } },
    source: 'simulated',
    simulated,
    checks: [],
  }
}
