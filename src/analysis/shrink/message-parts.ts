const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** Scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** The sentences of a text, each with the space after it. */
export function cutSentences(text: string): string[] {
  return Array.from(sentences.segment(text.trim()), ({ segment }) => segment)
}

/** The words of a text, each with its punctuation and the space after it. */
export function cutWords(text: string): string[] {
  const spaced = text.trim().match(/\S+\s*/g) ?? []
  return spaced.flatMap((word) =>
    unspaced.test(word) ? Array.from(words.segment(word), ({ segment }) => segment) : [word],
  )
}

export function joinParts(parts: readonly string[], kept: readonly number[]): string {
  return kept
    .map((index) => parts[index])
    .join('')
    .trim()
}
