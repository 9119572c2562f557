import type { Change } from 'diff'
import { sameData } from '../json/equal/find-difference.ts'
import { sortedJson } from '../json/json.ts'
import { requirePackage } from '../require-package.ts'
import { shorten } from '../text/shorten.ts'

const maxLines = 40
const columns = 110
/** Unchanged lines kept on either side of a change, and unchanged characters in a diff by words. */
const contextLines = 3
const contextCharacters = 50
/** Limits on what is compared, so that hostile texts cannot delay the report. */
const maxText = 50_000
const maxWords = 300
const maxEdits = 1_000
const shortEnough = 40

/**
 * How an actual value differs from the expected one, as lines that begin with `- ` (expected), `+ ` (actual)
 * or two spaces (both). Undefined for values that are equal or short enough to read side by side.
 */
export function renderDiff(expected: unknown, actual: unknown): string[] | undefined {
  if (sameData(expected, actual) || (isShort(expected) && isShort(actual))) return undefined
  const left = toComparableText(expected)
  const right = toComparableText(actual)
  const asData = typeof expected !== 'string' && typeof actual !== 'string'
  return limitLines(diffByWords(left, right) ?? diffByLines(left, right, asData))
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= shortEnough && !value.includes('\n')
  return typeof value !== 'object' || value === null
}

function toComparableText(value: unknown): string {
  const text = typeof value === 'string' ? value : sortedJson(value, 2)
  return shorten(text, maxText).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
}

/** One line per sequence of words; undefined where whole lines are easier to read. */
function diffByWords(left: string, right: string): string[] | undefined {
  if (left.includes('\n') || right.includes('\n')) return undefined
  if (left.length <= columns && right.length <= columns) return undefined
  const changes = loadDiff().diffWordsWithSpace(left, right, { maxEditLength: 20 })
  if (changes === undefined || changes.length > 15) return undefined
  const last = changes.length - 1
  return changes.map((change, index) => {
    if (change.added || change.removed) return changeSign(change) + shorten(change.value, maxWords)
    return changeSign(change) + shortenContext(change.value, index > 0, index < last)
  })
}

function shortenContext(words: string, changeBefore: boolean, changeAfter: boolean): string {
  const before = changeBefore ? contextCharacters : 0
  const after = changeAfter ? contextCharacters : 0
  if (words.length <= before + after) return words
  return `${words.slice(0, before)}…${words.slice(words.length - after)}`
}

function diffByLines(left: string, right: string, asData: boolean): string[] {
  const before = wrapLines(left)
  const after = wrapLines(right)
  // In data, a trailing comma is not a change.
  const { diffLines, diffJson } = loadDiff()
  const options = { maxEditLength: maxEdits }
  const changes = (asData ? diffJson(before, after, options) : diffLines(before, after, options)) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return changes.flatMap((change, index) => {
    const lines = change.value.replace(/\n$/, '').split('\n')
    const fewer =
      change.added || change.removed
        ? limitChanged(lines)
        : foldUnchanged(lines, index > 0, index < changes.length - 1)
    return fewer.map((line) => changeSign(change) + line)
  })
}

// Loaded lazily, when the first failure is printed.
function loadDiff(): typeof import('diff') {
  return requirePackage('diff') as typeof import('diff')
}

function changeSign({ added, removed }: Pick<Change, 'added' | 'removed'>): string {
  return added ? '+ ' : removed ? '- ' : '  '
}

// Long lines are broken before they are compared, so that a change far to the right is seen.
function wrapLines(text: string): string {
  const broken = text.split('\n').flatMap((line) => line.match(wrap) ?? [''])
  return `${broken.join('\n')}\n`
}

const wrap = new RegExp(`.{1,${columns}}(?:\\s|$)|.{1,${columns}}`, 'gu')

function foldUnchanged(lines: string[], changeBefore: boolean, changeAfter: boolean): string[] {
  const before = changeBefore ? contextLines : 0
  const after = changeAfter ? contextLines : 0
  const dropped = lines.length - before - after
  if (dropped < 2) return lines
  return [...lines.slice(0, before), `… ${dropped} unchanged lines`, ...lines.slice(lines.length - after)]
}

// Of a large change both sides are shown in part, rather than one of them in full.
function limitChanged(lines: string[]): string[] {
  if (lines.length <= maxLines / 2) return lines
  const shown = lines.slice(0, maxLines / 2 - 1)
  return [...shown, `… ${lines.length - shown.length} more lines`]
}

function limitLines(lines: string[]): string[] {
  if (lines.length <= maxLines) return lines
  const shown = lines.slice(0, maxLines - 1)
  return [...shown, `  … ${lines.length - shown.length} more lines`]
}
