import { messageText } from '../../results/transcript/message.ts'
import type { Turn } from '../../results/transcript/turn.ts'

/** The words of the last reply that the user has not said. */
export function ownWords(turns: readonly Turn[]): ReadonlySet<string> {
  const said = new Set(turns.flatMap(({ input }) => wordsOf(messageText(input.message.content))))
  const words = wordsOf(turns.at(-1)?.reply?.content ?? '').filter((word) => !said.has(word))
  const long = words.filter((word) => word.length > 3)
  return new Set(long.length > 0 ? long : words)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}

/** How many words two replies have in common, from 0 to 1. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 1
  const common = [...one].filter((word) => other.has(word)).length
  return (2 * common) / (one.size + other.size)
}
