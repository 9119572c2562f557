import type { CheckResult } from './check-result.ts'
import { type Message, textOf } from './message.ts'
import type { Reply } from './reply.ts'
import type { Typed } from './typed.ts'

/** A user message twice: as the author wrote it (any value), and as a message. */
export interface Input extends Typed<{ value: unknown }> {
  value: unknown
  message: Message
}

/** Who spoke: the author's opening, another turn of the author's, a simulator, a person. */
export type InputSource = 'initial' | 'static' | 'simulated' | 'human'

export const awaitingReasons = [
  'agent_declared',
  'tool_requires_confirmation',
  'finish_reason',
  'content_is_question',
  'content_is_request',
  'request_refused',
  'completed',
  'no_reply',
] as const

/** Whether the agent waits for an answer, and what says so. */
export interface Awaiting {
  awaiting: boolean
  reason: (typeof awaitingReasons)[number]
  /** The words that decided it. */
  match?: string
}

/** How a simulator came to what it said. */
export interface Simulated {
  /** Which simulator it was. */
  by: string
  /** One that speaks JSON can say when it has what it wanted; one that writes plain text answers questions. */
  format: 'json' | 'text'
  reasoning?: string
  /** Why its first answer could not be used. */
  rejected?: string
}

export interface Turn {
  number: number
  source: InputSource
  simulated?: Simulated
  /** What the author says this turn is about. */
  description?: string
  input: Input
  /** Absent when the agent failed to answer. */
  reply?: Reply
  error?: string
  checks: CheckResult[]
  /** Checks that were not evaluated, because something broke off. */
  unevaluated?: string[]
  awaiting: Awaiting
  durationMs: number
}

/** All that has been said, as checks, conditions, simulators and reports see it. */
export interface View {
  history: readonly Message[]
  turns: readonly Turn[]
}

/** The conversation as messages: what stood before turn 1, then each input with what its reply added. */
export function messagesOf(view: View): Message[] {
  return [
    ...view.history,
    ...view.turns.flatMap((turn) => [turn.input.message, ...(turn.reply?.messages ?? [])]),
  ]
}

/** How many messages the agent was given with the last turn. */
export function messagesGiven(view: View): number {
  return view.turns.length === 0 ? 0 : messagesOf({ ...view, turns: view.turns.slice(0, -1) }).length + 1
}

/** What the agent said before turn 1, where it has the last word in the history. */
export function lastWordOfHistory({ history, turns }: View): string | undefined {
  const last = turns.length === 0 ? history.at(-1) : undefined
  return last?.role === 'assistant' ? textOf(last.content) : undefined
}
