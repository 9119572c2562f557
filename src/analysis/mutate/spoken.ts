import { lastSentences, type Sentence } from '../../conversation/awaiting/sentences.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import type { Reply } from '../../results/transcript/reply.ts'

/** All that a reply says, as text: its words, and the values of its data. */
export function replyText({ content, output }: Pick<Reply, 'content' | 'output'>): string {
  if (typeof output === 'string') return output
  const values = leafTexts(output)
  const own = isWholeJson(content) ? [] : [content]
  return [...own, ...values.filter((value) => own.every((text) => !text.includes(value)))].join('\n')
}

/** The sentences of a reply that are meant for people, as they stand in it. Single values of data are none. */
export function spokenSentences(reply: Pick<Reply, 'content' | 'output'>): Sentence[] {
  const text = replyText(reply)
  if (isWholeJson(text)) return []
  return lastSentences(text).filter(
    ({ text: sentence, place }) =>
      place !== 'title' &&
      text.includes(sentence) &&
      isSaid(sentence, typeof reply.output === 'string' ? 1 : 3),
  )
}

function isSaid(sentence: string, fewestWords: number): boolean {
  return /^[\p{L}\p{N}\p{Sc}"'“¿¡(*]/u.test(sentence) && sentence.split(/\s+/).length >= fewestWords
}

export function isWholeJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) !== undefined
}

/** The texts and numbers in data, each once. */
export function leafTexts(value: unknown): string[] {
  const found = new Set<string>()
  const visit = (part: unknown) => {
    if (typeof part === 'string' && part.trim() !== '') found.add(part)
    else if (typeof part === 'number') found.add(String(part))
    else if (Array.isArray(part)) part.forEach(visit)
    else if (isRecord(part)) Object.values(part).forEach(visit)
  }
  visit(value)
  return [...found]
}

/** Words in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
