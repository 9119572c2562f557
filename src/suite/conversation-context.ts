import { asJson } from '../json/as-json.ts'
import { defined } from '../json/defined.ts'
import type { ToolCall } from '../results/transcript/message.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { type AgentMetadata, typedContent, typedInput, typedMetadata, typedOutput } from './held-values.ts'
import { withScope } from './scope-of.ts'

/** A turn that the agent answered. */
export interface HistoryEntry<Input = unknown, Output = unknown> {
  /** From 1; 0 for what the `messages` of the case say, before the first turn. */
  readonly turn: number
  /** Of the follow-up input, where it has one. */
  readonly description?: string
  readonly input: Input
  readonly output: Output
  readonly metadata?: AgentMetadata
  /** Empty where `toolCallsKnown` is false. */
  readonly toolCalls: readonly ToolCall[]
  /** Whether the agent reports its tools: otherwise nobody knows which it called. */
  readonly toolCallsKnown: boolean
  readonly error?: undefined
}

/** A turn without an answer, because the agent or something it needs failed; it is the last turn of its conversation. */
export interface FailedTurn<Input = unknown> {
  readonly turn: number
  readonly description?: string
  readonly input: Input
  readonly output?: undefined
  /** Empty: what was called before the failure is not known. */
  readonly toolCalls: readonly ToolCall[]
  readonly toolCallsKnown: false
  readonly error: string
}

/** A turn of a conversation, answered or failed. */
export type ConversationTurn<Input = unknown, Output = unknown> =
  | HistoryEntry<Input, Output>
  | FailedTurn<Input>

/** A conversation, as conditions, follow-up inputs and prompts see it. */
export interface ConversationContext<Input = unknown, Output = unknown> {
  /** For conditions the turn just finished, for inputs and prompts the one being produced; from 1. */
  readonly currentTurn: number
  readonly history: readonly HistoryEntry<Input, Output>[]
  readonly lastOutput?: Output
  /** Aborted when the time of the case is over, or the run is stopped. */
  readonly signal: AbortSignal
}

/** Frozen: nobody changes what was said. The inputs and outputs themselves are the ones that were sent and received. */
export function allTurns(view: View): readonly ConversationTurn[] {
  const turns = view.turns.map(({ number: turn, description, input: sent, reply, error = 'no reply' }) => {
    const about = { turn, ...defined({ description }), input: typedInput(sent) }
    if (reply === undefined)
      return Object.freeze({ ...about, toolCalls: Object.freeze([]), toolCallsKnown: false as const, error })
    const told = { ...defined({ metadata: typedMetadata(reply) }), ...shownCalls(reply.toolCalls) }
    return Object.freeze({ ...about, output: typedOutput(reply), ...told })
  })
  return Object.freeze(turns)
}

export function shownCalls(calls: readonly ToolCall[] | 'hidden') {
  const toolCallsKnown = calls !== 'hidden'
  return { toolCalls: Object.freeze(toolCallsKnown ? [...calls] : []), toolCallsKnown }
}

/** With what was said before the first turn, and without the turn in which the agent failed. */
export function answeredTurns(view: View): readonly HistoryEntry[] {
  return Object.freeze([...earlierExchanges(view), ...allTurns(view).filter(isAnswered)])
}

/** Each answer comes after a message of the user. */
function earlierExchanges({ history }: View): HistoryEntry[] {
  return history.flatMap((answer, place) => {
    const said = history[place - 1]
    if (answer.role !== 'assistant' || said?.role !== 'user') return []
    const told = shownCalls(answer.toolCalls ?? [])
    return [Object.freeze({ turn: 0, input: typedContent(said), output: typedContent(answer), ...told })]
  })
}

/** The same for recordings, as plain JSON. Without metadata, which a replay does not give again. */
export function recordedHistory(view: View): unknown[] {
  const turns = allTurns(view).filter(isAnswered)
  return [...view.history, ...turns.map(({ metadata: _, ...turn }) => turn)].map(asJson)
}

export function isAnswered<Input, Output>(
  turn: ConversationTurn<Input, Output>,
): turn is HistoryEntry<Input, Output> {
  return turn.error === undefined
}

export function createConversationContext(
  view: View,
  currentTurn: number,
  scope: Scope,
): ConversationContext {
  const history = answeredTurns(view)
  const last = history.at(-1)
  const context = {
    currentTurn,
    history,
    ...(last === undefined ? {} : { lastOutput: last.output }),
    signal: scope.signal,
  }
  return withScope(Object.freeze(context), scope)
}
