import type { AssertionInput } from '../../../checks/assertion-type.ts'
import type { ToolCall } from '../../../results/transcript/message.ts'
import type { Reply } from '../../../results/transcript/reply.ts'

/** A check that may notice a damage. */
export interface CheckCandidate {
  assertion: AssertionInput
  /** How little an author would like it: the longer, and the closer to the words of one reply, the higher. */
  cost: number
  /** What it looks at: one reply, or the tool calls, which a check at the end sees of all turns. */
  looksAt: 'reply' | 'tools'
  /** One check of this kind at the end may do for all turns. */
  forAllTurns?: true
}

/** A recorded reply and what it became. */
export interface ReplyDifference {
  original: Reply
  damaged: Reply
  /** The recorded calls that a check sees where it would stand: those of the turn, or of the whole conversation. */
  calls: readonly ToolCall[]
  /** Values that the tools of the conversation were given or returned. */
  names: readonly string[]
  /** The names of all tools of the suite. */
  tools: readonly string[]
}

/** Suggests checks from what differs. Whether they hold is found out by whoever asks. */
export type Suggest = (difference: ReplyDifference) => CheckCandidate[]
