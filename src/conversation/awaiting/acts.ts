import type { Act, ActRule } from './act-rule.ts'
import { englishActs } from './english-acts.ts'
import { foreignActs } from './foreign-acts.ts'
import { isGreek, type Sentence } from './sentences.ts'

const rules: readonly ActRule[] = [...englishActs, ...foreignActs]

const questionMark = /[?？؟⁇⁈⁉‽፧\u{37e}][!！]*["'”’»)\]」』）]*$|՞|¿/u

/** A quotation that ends in a question mark: the customer asked "where is it?" */
const quotedQuestion = /[\p{L}\p{N}][,:]? ?["“«「][^"“”«»「」]{1,300}[?？؟]["”»」]$/u

/** Only the last characters of a longer sentence are read. */
const maxReadLength = 600

export function classifySentence({ text, place }: Sentence): Act | undefined {
  const plain = text.slice(-maxReadLength).toLowerCase().replace(/[’ʼ]/g, "'")
  const fits = ({ notInLists, cue, pattern }: ActRule) =>
    !(notInLists && place === 'item') && cue?.test(plain) !== false && pattern.test(plain)
  const act = rules.find(fits)?.act
  if (act === 'offer' || act === 'request') return act
  // "Sorry, blue is not available, is red fine?" asks more than it refuses.
  return isQuestion(plain) ? 'question' : act
}

function isQuestion(sentence: string): boolean {
  if (sentence.endsWith(';')) return isGreek(sentence.slice(0, -1))
  return questionMark.test(sentence) && !quotedQuestion.test(sentence)
}

/** Whether a question is not meant for the user: "what changed?" or "need help?", without you or me in it. */
export function isRhetorical(question: string): boolean {
  return (
    /^(?:so|but|and|now)?,? ?(?:what|why|how|when|where|who|which|need|want|having|got|still)\b/i.test(
      question,
    ) && !/\b(?:you|your|i|me|my|we|us|our)\b/i.test(question)
  )
}

/** Whether a sentence begins like an answer to the question before it. */
export function isAnswer(sentence: string): boolean {
  return /^(?:because|yes|no|short answer|the (?:short )?(?:answer|reason))\b/i.test(sentence)
}
