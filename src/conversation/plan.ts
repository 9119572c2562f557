import type { Check } from '../assertions/check.ts'
import type { Scope } from '../scope/scope.ts'
import type { Data, Message } from '../transcript/message.ts'
import type { Input, InputSource, View } from '../transcript/turn.ts'

/** What a case comes to, whatever form it was written in: the one thing the loop plays. */
export interface Plan {
  /** What was said before turn 1. */
  history: readonly Message[]
  /** Where the next user message comes from, in this order. */
  sources: readonly MessageSource[]
  /** How many turns the author wrote; they are all sent. */
  authorTurns: number
  /** Ends after its one reply, even when that is a question. */
  singleTurn: boolean
  finals: readonly Check[]
  maxTurns: number
  turnTimeoutMs?: number
  stopOnFailure: boolean
  onMissingInput: MissingInput
  /** Options of every turn; a turn's own go over them. */
  options: Data
  /** What the test itself puts into the metadata of every turn. */
  testMetadata: Data
}

/** What becomes of a case whose agent waits for an answer that nobody has. */
export type MissingInput = 'skip' | 'fail' | 'end'

export type Next =
  | { say: Input; source: InputSource; checks: readonly Check[]; options?: Data }
  | { end: 'exhausted' }

/** Somebody who can speak for the user: the author, a simulator, a person. */
export interface MessageSource {
  kind: 'author' | 'simulator' | 'human'
  /** `awaiting`: only asked when the agent waits for an answer. */
  gate: 'always' | 'awaiting'
  next(view: View, scope: Scope): Promise<Next>
}
