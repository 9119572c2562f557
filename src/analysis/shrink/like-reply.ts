import { messageText } from '../../results/transcript/message.ts'
import type { Turn } from '../../results/transcript/turn.ts'

/** Politeness, and words that any sentence may have: two replies that share them may be about two things. */
const stockWords = new Set(
  `afraid apologies apologise apologize apology hello help kindly please regret sorry thank thanks unfortunately welcome
  about again also been being could does doing done from have having here into just more much must only other should some
  such than that their them then there these they this those very want what when where which while will with would your yours`.split(
    /\s+/,
  ),
)

/** By chance, a reply of few words shares more of them with another. */
const fewWords = 12

/** Whether the last reply has enough words in common with the recorded one, so that it is taken for the same mistake. */
export function isLikeReply(recorded: readonly Turn[], turns: readonly Turn[]): boolean {
  // What was left out of the messages may still be in a reply.
  const said = new Set(
    [...recorded, ...turns].flatMap(({ input }) => wordsOf(messageText(input.message.content))),
  )
  const [one, other] = [ownWords(recorded, said), ownWords(turns, said)]
  return likeness(one, other) > (one.size > fewWords ? 0.3 : 0.5)
}

/** The words of the last reply that the user has not said, without stock words if there are others. */
function ownWords(turns: readonly Turn[], said: ReadonlySet<string>): ReadonlySet<string> {
  const words = wordsOf(turns.at(-1)?.reply?.content ?? '').filter((word) => !said.has(word))
  const telling = words.filter((word) => word.length > 3 && !stockWords.has(word))
  return new Set(telling.length > 0 ? telling : words)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

/** How many words two replies have in common, from 0 to 1. */
function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 1
  const common = [...one].filter((word) => other.has(word)).length
  return (2 * common) / (one.size + other.size)
}
