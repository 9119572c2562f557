import type { Reply } from '../../results/transcript/reply.ts'
import type { Turn, View } from '../../results/transcript/turn.ts'

/** A recorded reply that is to be damaged, and what is around it. */
export interface ReplyPlace {
  /** The turn of the reply. */
  turn: Turn
  reply: Reply
  view: View
  suite: Suite
  /** Chooses one of several, always the same for the same place and purpose. Undefined if there are none. */
  choose<Item>(items: readonly Item[], purpose: string): Item | undefined
}

/** What operators may take from the rest of the recorded results. */
export interface Suite {
  /** The names of all tools that were called. */
  tools: readonly string[]
  /** Answers of the same agents in other cases. */
  answers: readonly OtherAnswer[]
}

/** An answer to another case. */
export interface OtherAnswer {
  file: string
  id: string
  input: string
  reply: Reply
}

/** A reply as it must not be. */
export interface Damage {
  /** What was done to it, in a few words: `3500 became 4500`. */
  what: string
  /** Makes the reply. Of many damages only few are made: each is a copy of the reply. */
  apply(): Reply
}

/**
 * One way to damage a reply. It yields only real damage: a reply that is worse for its user, not one that is worded
 * differently. A new one is a file here and a line in `operators/list.ts`.
 */
export interface Operator {
  name: string
  /** What it does, for the documentation. */
  about: string
  damage(place: ReplyPlace): Damage[]
}
