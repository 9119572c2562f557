import { type Fact, findDates, findNames, findNumbers } from '../facts.ts'
import { isWholeJson, replyText, spokenSentences } from '../spoken.ts'
import type { CheckCandidate, Suggest } from './candidate.ts'

/** What the reply said, and does not say any more: numbers, dates and names first, then words, then passages. */
export const suggestTextChecks: Suggest = ({ original, damaged, names }) => {
  const [before, after] = [replyText(original), replyText(damaged)]
  if (before === after || isWholeJson(before)) return []
  const isLost = (text: string) => text.length > 1 && !after.includes(text) && !isHidden(text)
  const isData = typeof original.output !== 'string'
  const kept = new Set(listFacts(after, names, isData))
  const facts = listFacts(before, names, isData).filter((fact) => !kept.has(fact) && isLost(fact))
  const sentences = spokenSentences(original).map(({ text }) => text)
  const words = sentences.flatMap((sentence) => listWords(sentence))
  const passages = sentences.filter(isLost).flatMap((sentence) => listPassages(sentence))
  return [
    ...contains(facts.slice(0, mostFacts), 0.9),
    ...contains(words.filter(isLost).slice(0, mostOfKind), 1),
    ...contains(passages.filter(isLost).slice(0, mostOfKind), 1.2),
    // A reply that has no words for people has at least a text.
    ...contains(sentences.length === 0 && isLost(before) && before.length <= 80 ? [before] : [], 2),
  ]
}

const mostOfKind = 12

/** Where all of a long reply is lost, any of them will do. */
const mostFacts = 50

function listFacts(text: string, names: readonly string[], isData: boolean): string[] {
  return [
    // In data, every value has a path.
    ...(isData ? [] : findNumbers(text).map((number) => withUnit(text, number))),
    ...findDates(text).map((date) => date.text),
    ...findNames(text, names).map((name) => name.text),
  ]
}

function contains(texts: readonly string[], cost: number): CheckCandidate[] {
  return [...new Set(texts)].map((value) => ({
    assertion: { type: 'contains', value },
    cost: cost + value.length / 500,
    looksAt: 'reply',
  }))
}

/** `$500` and `95%` say more than their numbers. */
function withUnit(text: string, { text: number, index }: Fact): string {
  const sign = /[$€£¥]\s?$/.exec(text.slice(Math.max(0, index - 2), index))?.[0] ?? ''
  const share = /^\s?%/.exec(text.slice(index + number.length))?.[0] ?? ''
  return sign + number + share
}

/** Long words say what a sentence is about, in any wording. */
function listWords(sentence: string): string[] {
  return (sentence.match(/\p{L}{5,}/gu) ?? [])
    .filter((word) => !commonWords.has(word.toLowerCase()))
    .toSorted((left, right) => right.length - left.length)
}

/** They are in every other sentence, whatever it says. */
const commonWords = new Set(
  'have with that this your will from they been were what when than then them some more just only into over such like make made does want need they about after again already also although always another anything around because before being below between could does doing during either every everything following further given going having hello here however instead itself later least likely makes maybe might myself other ourselves please quite rather really shall should since something still their theirs there these thing things those though through today together under until using very welcome where whether which while whose within without would yours yourself'.split(
    ' ',
  ),
)

/** Two or three words in a row, of which one means something. */
function listPassages(sentence: string): string[] {
  const words = [...sentence.matchAll(/\S+/g)]
  return [2, 3].flatMap((size) =>
    words.flatMap((first, place) => {
      const last = words[place + size - 1]
      if (last === undefined) return []
      const text = sentence.slice(first.index, last.index + last[0].length)
      return [text.replace(/^[^\p{L}\p{N}$€£]+|[^\p{L}\p{N}%]+$/gu, '')].filter(
        (passage) => saysSomething(passage) && passage.length <= 50 && / /.test(passage),
      )
    }),
  )
}

function saysSomething(passage: string): boolean {
  const words = passage.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.some((word) => /\d/.test(word) || (word.length > 3 && !commonWords.has(word)))
}

/** Where secrets or private data were, there is something else in a live run. */
export function isHidden(text: string): boolean {
  return /\[(?:redacted|masked|not recorded)\]|\*\*\*/.test(text)
}
