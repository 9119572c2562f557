import { isRecord } from '../../json/json.ts'
import type { Draft } from './draft.ts'

/** The turns at the start of a draft that are given to the agent as history, and are not sent again. */
export interface Replayed {
  turns: number
  /** What was said in them. */
  messages: readonly object[]
}

/** With how many turns two drafts begin alike. Turns with something of their own are always sent. */
export function startsLike(draft: Draft, other: Draft): number {
  const isSame = (one: unknown, another: unknown) => JSON.stringify(one) === JSON.stringify(another)
  if (!isSame(draft.history, other.history)) return 0
  const differs = draft.turns.findIndex((turn, index) => !isSame(turn, other.turns[index]))
  return differs === -1 ? draft.turns.length : differs
}

/**
 * The first turn that the failing check looks at is sent, and so is all that comes after it. What the agent answered
 * after a turn that was changed or left out is stale.
 */
export function replayFor(draft: Draft, replies: readonly (readonly object[])[], alike: number): Replayed {
  const pinned = draft.turns.findIndex(({ isPinned }) => isPinned)
  const turns = Math.min(alike, pinned === -1 ? 0 : pinned, replies.length)
  const messages = draft.turns
    .slice(0, turns)
    .flatMap(({ input }, index) => [asMessage(input), ...(replies[index] ?? [])])
  return { turns, messages }
}

/** An input as the user message that it is sent as. */
export function asMessage(input: unknown): object {
  if (isRecord(input) && typeof input.role === 'string') return input
  return { role: 'user', content: typeof input === 'string' ? input : JSON.stringify(input) }
}
