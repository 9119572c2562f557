import type { Node, Pair } from 'yaml'
import { requirePackage } from '../../require-package.ts'
import { type ChangedList, changedList } from '../add-checks.ts'
import type { Path } from '../formats/case-format.ts'
import { lineBreak, renderLike, type TextEdit } from './text-edit.ts'

/** How the text of a case in YAML changes; undefined if the case is not written there, or in a way that cannot be edited. */
export function editYaml(text: string, base: Path, changes: readonly ChangedList[]): TextEdit[] | undefined {
  const { isMap, parseDocument } = requirePackage('yaml') as typeof import('yaml')
  const document = parseDocument(text)
  const edits: TextEdit[] = []
  for (const change of changes) {
    const path = [...base, ...change.path]
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
    if (!isMap(parent)) return undefined
    const pair = parent.items.find(({ key }) => String(key) === String(path.at(-1)))
    const edit = pair === undefined ? addPair(text, parent, change) : editValue(text, pair, change)
    if (edit === undefined) return undefined
    edits.push(...edit)
  }
  return edits
}

type Loaded = typeof import('yaml')

function editValue(text: string, { value }: Pair, { added }: ChangedList): TextEdit[] | undefined {
  const { isMap, isSeq } = requirePackage('yaml') as Loaded
  if (!isMap(value) && !isSeq(value)) return undefined
  const [start, end] = value.range ?? [0, 0]
  const items = added.map((each) => renderLike(each, text))
  const last = value.items.at(-1)
  if (isSeq(value) && value.flow === true) {
    const before = last === undefined ? undefined : endOf(last)
    if (before === undefined) return [{ offset: start, length: end - start, text: `[${items.join(', ')}]` }]
    return [{ offset: before, length: 0, text: items.map((item) => `, ${item}`).join('') }]
  }
  if (isMap(value) && value.flow === true)
    return [
      { offset: start, length: 0, text: '[' },
      { offset: end, length: 0, text: `${items.map((item) => `, ${item}`).join('')}]` },
    ]
  const column = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1))
  const block = blockEnd(text, end)
  const lines = items.map((item) => `${lineBreak(text)}${column}- ${item}`).join('')
  const list = { offset: block, length: 0, text: lines }
  if (isSeq(value)) return [list]
  // One check becomes the first item of a list: its lines move to the right.
  return [{ offset: start, length: 0, text: '- ' }, ...shiftLines(text, start, block), list]
}

function addPair(text: string, parent: Node, change: ChangedList): TextEdit[] | undefined {
  const { isMap } = requirePackage('yaml') as Loaded
  if (!isMap(parent)) return undefined
  const [first, last] = [parent.items[0], parent.items.at(-1)]
  const key = String(change.path.at(-1))
  const value = changedList(change)
  const property = `${key}: ${renderLike(value, text)}`
  const end = endOf(last?.value ?? last?.key)
  const start = first === undefined ? undefined : startOf(first.key)
  if (end === undefined || start === undefined) return undefined
  if (parent.flow === true) return [{ offset: end, length: 0, text: `, ${property}` }]
  const column = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1))
  const line = `${lineBreak(text)}${column}`
  const lines = Array.isArray(value)
    ? [`${key}:`, ...value.map((item) => `  - ${renderLike(item, text)}`)].join(line)
    : property
  return [{ offset: blockEnd(text, end), length: 0, text: line + lines }]
}

function shiftLines(text: string, start: number, end: number): TextEdit[] {
  const edits: TextEdit[] = []
  for (
    let index = text.indexOf('\n', start);
    index !== -1 && index < end;
    index = text.indexOf('\n', index + 1)
  )
    if (/^[ \t]*[^\s]/.test(text.slice(index + 1, end)))
      edits.push({ offset: index + 1, length: 0, text: '  ' })
  return edits
}

/** The end of the last line with something in it, and a comment that stands on that line. */
function blockEnd(text: string, end: number): number {
  const trimmed = text.slice(0, end).trimEnd().length
  const line = text.indexOf('\n', trimmed)
  return (line === -1 ? text : text.slice(0, line)).trimEnd().length
}

function startOf(node: unknown): number | undefined {
  return rangeOf(node)?.[0]
}

function endOf(node: unknown): number | undefined {
  return rangeOf(node)?.[1]
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  const { isNode } = requirePackage('yaml') as Loaded
  return isNode(node) ? (node.range ?? undefined) : undefined
}
