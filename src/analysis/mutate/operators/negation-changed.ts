import { classifySentence } from '../../../conversation/awaiting/acts.ts'
import type { Sentence } from '../../../conversation/awaiting/sentences.ts'
import { shorten } from '../../../text/shorten.ts'
import { replaceInReply } from '../edit-reply.ts'
import type { Damage, Operator } from '../operator.ts'
import { spokenSentences } from '../spoken.ts'

export const negationChanged: Operator = {
  name: 'negation_changed',
  about: 'A statement says the opposite: `not` is added or left out. Only in English.',
  damage: ({ reply }) =>
    spokenSentences(reply).flatMap((sentence): Damage[] => {
      const opposite = isStatement(sentence) ? negate(sentence.text) : undefined
      if (opposite === undefined) return []
      return [
        {
          what: `"${shorten(sentence.text, 80)}" became "${shorten(opposite, 80)}"`,
          apply: () => replaceInReply(reply, sentence.text, opposite),
        },
      ]
    }),
}

/** The opposite of a question, an offer or a condition is no mistake. */
function isStatement(sentence: Sentence): boolean {
  const act = classifySentence(sentence)
  return (
    (act === undefined || act === 'refusal') &&
    !/\b(?:if|whether|unless|when|once|please|let me|may|might)\b/i.test(sentence.text)
  )
}

const auxiliary = 'is|are|was|were|has|have|had|does|do|did|would|should|could'

/** The first that fits is applied. What was negated comes first. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\b([Cc]an)(?:not|['’]t)\b/, '$1'],
  [/\b(will|would|should|could|must) not\b/, '$1'],
  [/\b(?:do|does) not\b ?/, ''],
  [/\b(is|are|was|were|has|have|had|did) not\b/, '$1'],
  [/\bwon['’]t\b/, 'will'],
  [/\b(?:don|doesn)['’]t\b ?/, ''],
  [new RegExp(`\\b(${auxiliary})n['’]t\\b`), '$1'],
  [/\b([Tt]here (?:is|are)) no\b/, '$1 a'],
  [/\bnever\b/, 'always'],
  [/\bno longer\b/, 'still'],
  [/\bwithout\b/, 'with'],
  [/\b(has|have) (been|\p{L}+(?:ed|en))\b/u, '$1 not $2'],
  [/\bcan\b(?! only)/, 'cannot'],
  [/\b(will|must|should)\b/, '$1 not'],
  [/(?<!\b(?:[Tt]here|[Hh]ere|[Tt]hat|[Ww]hat|[Ww]hich|[Hh]ow) )\b(is|are|was|were)\b/, '$1 not'],
]

function negate(sentence: string): string | undefined {
  for (const [pattern, opposite] of rules) {
    const changed = sentence.replace(pattern, opposite)
    if (changed !== sentence) return changed
  }
  return undefined
}
