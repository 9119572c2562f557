import type { Check } from '../checks/check.ts'
import type { CheckpointResult } from '../results/result.ts'
import type { Data, Message, ToolCall } from '../results/transcript/message.ts'
import type { Input, InputSource, Simulated, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import type { Stubs } from '../tools/stubs.ts'
import type { Checkpoint } from './checkpoints.ts'
import type { Condition } from './conditions.ts'

/** The compiled form of every case, which the conversation loop plays. */
export interface Plan {
  /** The messages before turn 1. */
  history: readonly Message[]
  /** The sources of the next user message, in order of precedence. */
  sources: readonly MessageSource[]
  /** Ends after the first reply, even if that is a question. */
  singleTurn: boolean
  checkpoints: readonly Checkpoint[]
  /** Any of them ends the conversation. */
  conditions: readonly Condition[]
  /** The result for each way to end. If absent, only checks and checkpoints decide. */
  outcomes?: EndOutcomes
  finals: readonly Check[]
  maxTurns: number
  /** For the agent's reply and for a simulator's message; checks only have the timeout of the case. */
  turnTimeoutMs?: number
  stopOnFailure: boolean
  onMissingInput: MissingInput
  /** Options of every turn, which a turn may override. */
  options: Data
  /** Stubs of every turn, which a turn may override. */
  stubs: Stubs
}

/** The results of the ways to end a conversation that is played until a condition is met. */
export interface EndOutcomes {
  conditionMet: Outcome
  /** The turn limit was reached first. */
  maxTurns: Outcome
  /** The author's turns were used up first. */
  exhausted: Outcome
}

/** Whether the case passes or fails when its conversation ends in a certain way. */
export type Outcome = 'pass' | 'fail'

/** What to do when the agent waits for an answer and nobody has one. */
export const missingInputs = ['skip', 'fail', 'end'] as const
export type MissingInput = (typeof missingInputs)[number]

/** The next user message, and the checks on its reply. */
export interface UserMessage {
  say: Input
  source: InputSource
  checks: readonly Check[]
  options?: Data
  stubs?: Stubs
  /** The author's description of the turn. */
  description?: string
  simulated?: Simulated
}

/** `exhausted`: this source has nothing more to say, so the next one is asked. `goal_achieved`: the conversation ends. */
export type NextStep =
  | UserMessage
  | { end: 'exhausted' | 'goal_achieved'; reasoning?: string; toolCalls?: ToolCall[] | undefined }

/** The state of a conversation when a source is asked for the next message. */
export interface ConversationState {
  view: View
  /** How many messages the source has provided so far. */
  spoken: number
  checkpoints: readonly CheckpointResult[]
  maxTurns: number
}

/**
 * A source of user messages: the author, code that reacts to replies, a simulator, a person. A plan may be played
 * several times at once, so a source must not keep state.
 */
export interface MessageSource {
  kind: 'author' | 'follow_up' | 'simulator' | 'human'
  /** Its messages, if they are known in advance. */
  known?: readonly UserMessage[]
  /** If only the checks are known in advance: those of the messages that are left, endless ones once. */
  checksFrom?(spoken: number): readonly (readonly Check[])[]
  /** Whether it has a message now: the author while turns are left, a person when the agent waits. */
  wants(view: View, spoken: number): boolean
  next(standing: ConversationState, scope: Scope): NextStep | Promise<NextStep>
}

/** Whether the way in which the conversation ends can fail the case. */
export function endDecidesResult({ conditions, outcomes }: Pick<Plan, 'conditions' | 'outcomes'>): boolean {
  return conditions.length > 0 && Object.values(outcomes ?? {}).includes('fail')
}
