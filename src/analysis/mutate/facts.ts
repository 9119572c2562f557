import type { ToolCall } from '../../results/transcript/message.ts'
import { leafTexts } from './spoken.ts'

/** Something in a text that is right or wrong, and its place there. */
export interface Fact {
  text: string
  index: number
}

const months =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const weekdays = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'

const datePattern = new RegExp(
  [
    '\\d{4}-\\d{2}-\\d{2}',
    '\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}',
    `${months}\\.? \\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?`,
    `\\d{1,2}(?:st|nd|rd|th|\\.)? ${months}(?: \\d{4})?`,
    weekdays,
    '\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[AaPp]\\.?[Mm]\\b)?',
  ]
    .map((form) => `(?<![\\p{L}\\p{N}])${form}(?![\\p{L}\\p{N}])`)
    .join('|'),
  'gu',
)

/** Dates, weekdays and times of day. */
export function findDates(text: string): Fact[] {
  return findAll(text, datePattern)
}

/** Letters and digits in one, such as a reference: `EXP-2025-001`, `HAT136`. */
const codePattern =
  /(?<![\p{L}\p{N}_-])(?=[\p{L}\p{N}_-]*\d)(?=[\p{L}\p{N}_-]*\p{L})[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)*(?![\p{L}\p{N}_-])/gu

/** `2nd` and `100k` are numbers with a unit, no names. */
const unit = /^\d+(?:\p{L}{1,3})$/u

export function findCodes(text: string): Fact[] {
  return findAll(text, codePattern).filter((fact) => !unit.test(fact.text))
}

const numberPattern =
  /(?<![\p{L}\p{N}_])(?<!\d[.,:/-])(?<!\p{L}[-_])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}_]|[.,:/]\d|-[\p{L}\p{N}])/gu

/** Numbers that are no part of a date or a code, and do not number the items of a list. */
export function findNumbers(text: string): Fact[] {
  const others = [...findDates(text), ...findCodes(text)].sort((left, right) => left.index - right.index)
  let next = 0
  let end = 0
  // All are in the order of the text, so one pass through the others is enough.
  return findAll(text, numberPattern).filter((fact) => {
    for (let other = others[next]; other !== undefined && other.index <= fact.index; other = others[next]) {
      end = Math.max(end, other.index + other.text.length)
      next += 1
    }
    return fact.index >= end && !isMarker(text, fact)
  })
}

/** The `1.` of a list, and the `[1]` of a footnote. */
function isMarker(text: string, { text: number, index }: Fact): boolean {
  const before = text.slice(text.lastIndexOf('\n', index - 1) + 1, index)
  const after = text.slice(index + number.length)
  return (
    (/^[\s(>#*]*$/.test(before) && /^[.):](?:\s|$)/.test(after)) ||
    (before.endsWith('[') && after.startsWith(']'))
  )
}

const properName = /(?<=[\p{Ll}\p{N},;] )\p{Lu}\p{Ll}{2,}(?:[ -]\p{Lu}\p{Ll}{2,})*(?![\p{L}\p{N}_])/gu
const noNames = new RegExp(`^(?:${months}|${weekdays}|English|Please|Thank|Thanks|Sorry|Hello|Welcome)$`, 'u')

/** Words with a capital letter within a sentence. */
function findProperNames(text: string): Fact[] {
  return findAll(text, properName).filter((fact) => !noNames.test(fact.text))
}

/** Values that tools were given, or returned, as far as they are names of something. */
export function namesInCalls(calls: readonly ToolCall[]): string[] {
  const texts = calls.flatMap(({ arguments: args, result }) => leafTexts([args, result]))
  return [...new Set(texts)].filter(
    (text) => /^\p{L}[\p{L}'’ -]{2,29}$/u.test(text) && !plainWords.test(text),
  )
}

/** Such values say nothing about anybody. */
const plainWords = /^(?:ok|okay|true|false|null|none|success|error|done|yes|no)$/i

/** Names and codes in a text. `known`: values of tools, which are names wherever they stand. */
export function findNames(text: string, known: readonly string[]): Fact[] {
  const ofTools = known.flatMap((name) => {
    const index = indexOfWord(text, name)
    return index === -1 ? [] : [{ text: name, index }]
  })
  return onlyFirst([...ofTools, ...findCodes(text), ...findProperNames(text)])
}

function indexOfWord(text: string, word: string): number {
  for (let index = text.indexOf(word); index !== -1; index = text.indexOf(word, index + 1)) {
    const isWhole =
      !/[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, index - 2), index)) &&
      !/^[\p{L}\p{N}_]/u.test(text.slice(index + word.length))
    if (isWhole) return index
  }
  return -1
}

/** Each text once, in the order in which they stand there. */
function findAll(text: string, pattern: RegExp): Fact[] {
  return onlyFirst(Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({ text: found, index })))
}

function onlyFirst(facts: readonly Fact[]): Fact[] {
  const found = new Map<string, Fact>()
  for (const fact of facts) if (!found.has(fact.text)) found.set(fact.text, fact)
  return [...found.values()]
}
