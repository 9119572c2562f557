import { createRequire } from 'node:module'
import type { Change } from 'diff'
import { shorten, sortedJson } from './describe.ts'
import { deepEqual } from './equality.ts'

const load = createRequire(import.meta.url)

const MAX_LINES = 40
const COLUMNS = 110
/** Unchanged lines kept on either side of a change, and unchanged characters in a diff by words. */
const CONTEXT_LINES = 3
const CONTEXT_CHARACTERS = 50
/** What is compared of each side, so that hostile texts cannot keep the report waiting. */
const MAX_TEXT = 50_000
const MAX_EDITS = 1_000
const SHORT = 40

/**
 * How an actual value differs from the expected one, as lines that begin with `- ` (expected), `+ ` (actual)
 * or two spaces (both). Nothing for values that are equal or short enough to read side by side.
 */
export function renderDiff(expected: unknown, actual: unknown): string[] | undefined {
  if (deepEqual(expected, actual) || (isShort(expected) && isShort(actual))) return undefined
  const left = textOf(expected)
  const right = textOf(actual)
  return bounded(byWords(left, right) ?? byLines(left, right))
}

function isShort(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= SHORT && !value.includes('\n')
  return typeof value !== 'object' || value === null
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : sortedJson(value, 2)
  return shorten(text, MAX_TEXT).replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ')
}

/** One line a changed or unchanged stretch of words; nothing for texts of several lines or too little in common. */
function byWords(left: string, right: string): string[] | undefined {
  if (left.includes('\n') || right.includes('\n')) return undefined
  const changes = loadDiff().diffWordsWithSpace(left, right, { maxEditLength: 20 })
  if (changes === undefined || changes.length > 15) return undefined
  const last = changes.length - 1
  return changes.map((change, index) => {
    if (change.added || change.removed) return sign(change) + shorten(change.value, MAX_TEXT)
    return sign(change) + aroundChange(change.value, index > 0, index < last)
  })
}

function aroundChange(words: string, changeBefore: boolean, changeAfter: boolean): string {
  const before = changeBefore ? CONTEXT_CHARACTERS : 0
  const after = changeAfter ? CONTEXT_CHARACTERS : 0
  if (words.length <= before + after) return words
  return `${words.slice(0, before)}…${words.slice(words.length - after)}`
}

function byLines(left: string, right: string): string[] {
  const [before, after] = [wrapped(left), wrapped(right)]
  const changes = loadDiff().diffLines(before, after, { maxEditLength: MAX_EDITS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return withoutFarContext(
    changes.flatMap((change) =>
      change.value
        .slice(0, -1)
        .split('\n')
        .map((line) => sign(change) + line),
    ),
  )
}

// Loaded when the first failure is printed.
function loadDiff(): typeof import('diff') {
  return load('diff') as typeof import('diff')
}

function sign({ added, removed }: Pick<Change, 'added' | 'removed'>): string {
  return added ? '+ ' : removed ? '- ' : '  '
}

// Long lines are broken before they are compared, so that a change far to the right is seen.
function wrapped(text: string): string {
  const broken = text.split('\n').flatMap((line) => line.match(WRAP) ?? [''])
  return `${broken.join('\n')}\n`
}

const WRAP = new RegExp(`.{1,${COLUMNS}}(?:\\s|$)|.{1,${COLUMNS}}`, 'gu')

function withoutFarContext(lines: string[]): string[] {
  const kept: string[] = []
  for (let start = 0; start < lines.length; ) {
    let end = start
    while (lines[end]?.startsWith('  ') === true) end++
    const changed = lines[end]
    kept.push(...fewer(lines.slice(start, end), start > 0, changed !== undefined))
    if (changed !== undefined) kept.push(changed)
    start = end + 1
  }
  return kept
}

function fewer(run: string[], changeBefore: boolean, changeAfter: boolean): string[] {
  const before = changeBefore ? CONTEXT_LINES : 0
  const after = changeAfter ? CONTEXT_LINES : 0
  const dropped = run.length - before - after
  if (dropped < 2) return run
  return [...run.slice(0, before), `  … ${dropped} unchanged lines`, ...run.slice(run.length - after)]
}

function bounded(lines: string[]): string[] {
  if (lines.length <= MAX_LINES) return lines
  const shown = lines.slice(0, MAX_LINES - 1)
  return [...shown, `  … ${lines.length - shown.length} more lines`]
}
