let segmenter: Intl.Segmenter | undefined

/** The words of a text as Unicode tells them apart, also in languages that put no blanks between them. */
export function splitWords(text: string): string[] {
  // Made when the first case needs it: it loads dictionaries.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) words.push(segment)
  return words
}
