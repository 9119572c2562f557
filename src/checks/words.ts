let segmenter: Intl.Segmenter | undefined

/** The words of a text by the rules of Unicode, also in languages without spaces. */
export function wordsOf(text: string): string[] {
  // Created lazily, because it loads dictionaries.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment)
  return words
}
