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
  /** Ends after its one reply, even when that is a question. */
  singleTurn: boolean
  finals: readonly Check[]
  maxTurns: number
  /** For the agent's reply alone; checks have the time of the case. */
  turnTimeoutMs?: number
  stopOnFailure: boolean
  onMissingInput: MissingInput
  /** Options of every turn; a turn's own go over them. */
  options: Data
}

/** What becomes of a case whose agent waits for an answer that nobody has. */
export type MissingInput = 'skip' | 'fail' | 'end'

/** What somebody says for the user, and what must hold of the reply. */
export interface Said {
  say: Input
  source: InputSource
  checks: readonly Check[]
  options?: Data
  /** What the author says this turn is about. */
  description?: string
}

/** `exhausted`: this one has nothing more to say, the next one is asked. */
export type Next = Said | { end: 'exhausted' }

/**
 * Somebody who can speak for the user: the author, a simulator, a person. A plan may be played many times at
 * once, so a source keeps nothing: `spoken` is how often it has spoken in this conversation.
 */
export interface MessageSource {
  kind: 'author' | 'simulator' | 'human'
  /** What it will say, where that is known before anything was said. */
  known?: readonly Said[]
  /** Whether it would speak now: the author while turns are left, a person when the agent waits. */
  wants(view: View, spoken: number): boolean
  next(view: View, spoken: number, scope: Scope): Promise<Next>
}
