import { classifySentence } from '../../../conversation/awaiting/acts.ts'
import type { Sentence } from '../../../conversation/awaiting/sentences.ts'
import { shorten } from '../../../text/shorten.ts'
import { replaceInReply } from '../edit-reply.ts'
import type { Damage, Operator } from '../operator.ts'
import { replyText, spokenSentences, wordsOf } from '../spoken.ts'

export const sentenceDropped: Operator = {
  name: 'sentence_dropped',
  about: 'A sentence is missing that says, or asks, what nothing else in the reply does.',
  damage: ({ reply }) => {
    const text = replyText(reply)
    const sentences = spokenSentences(reply)
    const words = countWords(text)
    return sentences.flatMap((sentence): Damage[] => {
      const dropped = withSpace(text, sentence.text)
      if (
        text.trim() === dropped.trim() ||
        reply.content.trim() === sentence.text ||
        !isMissed(sentence, sentences, words)
      )
        return []
      return [
        { what: `without "${shorten(sentence.text, 100)}"`, apply: () => replaceInReply(reply, dropped, '') },
      ]
    })
  },
}

/** The space that separates it goes with it. */
function withSpace(text: string, sentence: string): string {
  if (text.includes(`${sentence} `)) return `${sentence} `
  return text.includes(` ${sentence}`) ? ` ${sentence}` : sentence
}

const greeting = /^(?:welcome|hello|hi|hey|dear|greetings|good (?:morning|afternoon|evening|day))\b/i
const announcement =
  /^(?:let['’]s|let me|please (?:hold|wait|bear with)|(?:i['’]m |i am )?(?:very |so )?sorry|one moment|just a moment|sure|certainly|of course|i(?: can| will|['’]ll| would be| am|['’]m) (?:be )?(?:happy to |glad to )?(?:help|assist|check|look|proceed|continue)|i understand)\b|:$/i

/** Courtesies are not missed, nor is the first of two questions for the same answer. */
function isMissed(sentence: Sentence, all: readonly Sentence[], words: ReadonlyMap<string, number>): boolean {
  const act = classifySentence(sentence)
  if (act === 'courtesy' || act === 'offer' || isFiller(sentence.text)) return false
  if (isAsking(sentence)) return !all.some((other) => other !== sentence && isAsking(other))
  const counts = countWords(sentence.text)
  const own = wordsOf(sentence.text).filter((word) => counts.get(word) === words.get(word))
  return own.some((word) => /\d/.test(word)) || own.filter((word) => word.length > 3).length > 1
}

function isFiller(text: string): boolean {
  return greeting.test(text) || announcement.test(text) || /^if you\b/i.test(text)
}

function isAsking(sentence: Sentence): boolean {
  const act = classifySentence(sentence)
  return act === 'question' || act === 'request'
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
