import type { CheckResult } from './check-result.ts'
import { type Message, messageText, type ToolCall } from './message.ts'
import type { Reply } from './reply.ts'
import type { Typed } from './typed.ts'

/** A user message in two forms: as the author wrote it (any value), and as a message. */
export interface Input extends Typed<{ value: unknown }> {
  value: unknown
  message: Message
}

/** Where the message comes from: the author's first message, another turn of the author, a simulator, a person. */
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

/** Whether the agent waits for an answer, and how that was detected. */
export interface Awaiting {
  awaiting: boolean
  reason: (typeof awaitingReasons)[number]
  /** The words that decided it. */
  match?: string
}

/** How a simulator made its message. */
export interface Simulated {
  /** The simulator. */
  by: string
  /** A simulator that writes JSON can declare its goal achieved; one that writes plain text only answers questions. */
  format: 'json' | 'text'
  reasoning?: string
  /** Why its first answer could not be used. */
  rejected?: string
  /** Its goal is achieved: the conversation ends after the reply. */
  last?: true
  /** What it did before it wrote the message; `hidden`: it does not show its tools. Absent if it did nothing. */
  toolCalls?: ToolCall[] | 'hidden'
}

/** A turn of a conversation: what the user said, the reply, and how it was checked. */
export interface Turn {
  number: number
  source: InputSource
  simulated?: Simulated
  /** What this turn is about, according to the author. */
  description?: string
  input: Input
  /** Absent when the agent failed to answer. */
  reply?: Reply
  error?: string
  checks: CheckResult[]
  /** Checks that were not evaluated, because the turn ended early. */
  unevaluated?: string[]
  awaiting: Awaiting
  /** What the simulated user did after the reply, if it then ended the conversation without another message. */
  lastUserCalls?: ToolCall[]
  durationMs: number
}

/** The conversation so far, as checks, conditions, simulators and reports see it. */
export interface View {
  history: readonly Message[]
  turns: readonly Turn[]
}

/** The tool calls of the simulated user in a turn, oldest first. */
export function listUserCalls({ simulated, lastUserCalls = [] }: Turn): ToolCall[] {
  const { toolCalls = [] } = simulated ?? {}
  return [...(toolCalls === 'hidden' ? [] : toolCalls), ...lastUserCalls]
}

/** The conversation as messages: the history, then each input with the messages of its reply. */
export function listMessages(view: View): Message[] {
  return [
    ...view.history,
    ...view.turns.flatMap((turn) => [turn.input.message, ...(turn.reply?.messages ?? [])]),
  ]
}

/** The number of messages that the agent received in the last turn. */
export function countMessagesGiven({ history, turns }: View): number {
  if (turns.length === 0) return 0
  const before = turns.slice(0, -1).reduce((sum, { reply }) => sum + 1 + (reply?.messages.length ?? 0), 0)
  return history.length + before + 1
}

/** The last message of the history, if it is the agent's and no turn was played yet. */
export function lastAgentMessage({ history, turns }: View): string | undefined {
  const last = turns.length === 0 ? history.at(-1) : undefined
  return last?.role === 'assistant' ? messageText(last.content) : undefined
}
