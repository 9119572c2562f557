import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { type ChangedList, changedList } from '../add-checks.ts'
import type { Path } from '../formats/case-format.ts'
import { beginsLine, indentAt, lineBreak, renderLike, spaceLike, type TextEdit } from './text-edit.ts'

/** How the text of a case in JSON changes; undefined if the case is not written there. `base`: where it is in the text. */
export function editJson(text: string, base: Path, changes: readonly ChangedList[]): TextEdit[] | undefined {
  const root = parseTree(withoutComments(text))
  const edits: TextEdit[] = []
  for (const change of changes) {
    const path = [...base, ...change.path]
    const node = root && findNodeAtLocation(root, path)
    const parent = root && findNodeAtLocation(root, path.slice(0, -1))
    const edit =
      node !== undefined ? editList(text, node, change) : parent && addProperty(text, parent, change)
    if (edit === undefined) return undefined
    edits.push(...edit)
  }
  return edits
}

/** Comments of JSONL files are lines of their own. They become spaces, so that all offsets stay. */
function withoutComments(text: string): string {
  return text
    .replace(/^[ \t]*(?:#|\/\/)[^\r\n]*/gm, (line) => ' '.repeat(line.length))
    .replace(/^\uFEFF/, ' ')
}

function editList(text: string, node: Node, { added }: ChangedList): TextEdit[] {
  const style = text.slice(node.offset, node.offset + node.length)
  const items = added.map((each) => renderLike(each, style.includes('{') ? style : text))
  if (node.type !== 'array') {
    const end = node.offset + node.length
    const wrapped = items.map((item) => `,${spaceLike(text)}${item}`).join('')
    return [
      { offset: node.offset, length: 0, text: '[' },
      { offset: end, length: 0, text: `${wrapped}]` },
    ]
  }
  const last = node.children?.at(-1)
  if (last === undefined) return [{ offset: node.offset, length: node.length, text: `[${items.join(', ')}]` }]
  return [
    {
      offset: last.offset + last.length,
      length: 0,
      text: items.map((item) => `,${gap(text, last)}${item}`).join(''),
    },
  ]
}

function addProperty(text: string, parent: Node, change: ChangedList): TextEdit[] | undefined {
  const last = parent.type === 'object' ? parent.children?.at(-1) : undefined
  if (last === undefined) return undefined
  const between = gap(text, last)
  const value = changedList(change)
  const property = isBroken(between) ? renderBroken(value, between, text) : renderLike(value, text)
  const key = renderLike({ [String(change.path.at(-1))]: 0 }, text)
    .slice(1, -1)
    .trim()
    .replace(/0$/, '')
  return [{ offset: last.offset + last.length, length: 0, text: `,${between}${key}${property}` }]
}

function isBroken(between: string): boolean {
  return between.includes('\n')
}

/** Several checks stand on lines of their own. */
function renderBroken(value: unknown, between: string, text: string): string {
  if (!Array.isArray(value)) return renderLike(value, text)
  return `[${value.map((item) => `${between}  ${renderLike(item, text)}`).join(',')}${between}]`
}

/** What follows items stand on lines of their own, if the last one does. */
function gap(text: string, { offset }: Node): string {
  return beginsLine(text, offset) && text.lastIndexOf('\n', offset) !== -1
    ? lineBreak(text) + indentAt(text, offset)
    : spaceLike(text)
}
