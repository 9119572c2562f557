import { type ChangeObject, diffJson, diffLines, diffWordsWithSpace } from 'diff'
import { sortedJson } from '../src/json/json.ts'
import { cutText } from '../src/text/shorten.ts'

export interface DifferencePart {
  kind: 'same' | 'missing' | 'unexpected'
  text: string
}

export interface Difference {
  by: 'words' | 'lines'
  parts: DifferencePart[]
}

/** For longer texts a comparison by words takes too long. */
const longestProse = 20_000
const longestMs = 150
/** Texts with less in common are easier to read separately. */
const leastInCommon = { words: 0.5, lines: 0.15 }

/** How two values differ; undefined if they are easier to read separately. */
export function compareValues(expected: unknown, actual: unknown): Difference | undefined {
  if (typeof expected === 'string' && typeof actual === 'string') {
    const isProse = expected.length + actual.length <= longestProse
    return compareTexts(isProse ? 'words' : 'lines', expected, actual)
  }
  if (typeof expected !== 'object' || typeof actual !== 'object' || !expected || !actual) return undefined
  return compareTexts('data', sortedJson(expected, 2), sortedJson(actual, 2))
}

function compareTexts(
  kind: Difference['by'] | 'data',
  expected: string,
  actual: string,
): Difference | undefined {
  const by = kind === 'words' ? 'words' : 'lines'
  const changes = computeChanges(kind, expected, actual)
  if (changes === undefined) return undefined
  const common = changes.reduce(
    (sum, change) => (change.added || change.removed ? sum : sum + countLetters(change)),
    0,
  )
  const longest = Math.max(expected.replace(/\s/g, '').length, actual.replace(/\s/g, '').length)
  if (common < leastInCommon[by] * longest) return undefined
  return { by, parts: joinGaps(changes.map(toPart)) }
}

function computeChanges(kind: Difference['by'] | 'data', expected: string, actual: string) {
  const options = { timeout: longestMs }
  if (kind === 'words') return diffWordsWithSpace(expected, actual, options)
  const [left, right] = [withLastBreak(expected), withLastBreak(actual)]
  // In data, a trailing comma is not a change.
  return kind === 'data' ? diffJson(left, right, options) : diffLines(left, right, options)
}

function toPart({ added, removed, value }: ChangeObject<string>): DifferencePart {
  return { kind: added ? 'unexpected' : removed ? 'missing' : 'same', text: value }
}

/** A space between two changed words counts as changed: a phrase is easier to read than single words. */
function joinGaps(parts: readonly DifferencePart[]): DifferencePart[] {
  const all: DifferencePart[] = []
  let missing = ''
  let unexpected = ''
  const flush = () => {
    if (missing !== '') all.push({ kind: 'missing', text: missing })
    if (unexpected !== '') all.push({ kind: 'unexpected', text: unexpected })
    missing = ''
    unexpected = ''
  }
  for (const { kind, text } of parts) {
    const isGap = kind === 'same' && text.trim() === '' && missing !== '' && unexpected !== ''
    if (kind === 'same' && !isGap) {
      flush()
      all.push({ kind, text })
    }
    if (kind === 'missing' || isGap) missing += text
    if (kind === 'unexpected' || isGap) unexpected += text
  }
  flush()
  return all
}

function countLetters({ value }: ChangeObject<string>): number {
  return value.replace(/\s/g, '').length
}

/** Makes the last line comparable with the others. */
function withLastBreak(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Splits a long unchanged text to fold its middle: `[start, folded, end]`. */
export function foldSame(text: string, by: Difference['by']): [string, string, string] {
  if (by === 'words') {
    if (text.length <= 240) return [text, '', '']
    const start = cutText(text, 80)
    const end = text.slice(-80).replace(/^[\udc00-\udfff]/, '')
    return [start, text.slice(start.length, -end.length), end]
  }
  const lines = text.split(/(?<=\n)/)
  if (lines.length <= 8) return [text, '', '']
  return [lines.slice(0, 3).join(''), lines.slice(3, -3).join(''), lines.slice(-3).join('')]
}
