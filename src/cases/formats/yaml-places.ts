import type { Document, LineCounter, Node, YAMLError } from 'yaml'
import { requirePackage } from '../../require-package.ts'
import type { Path, Position } from './case-format.ts'

type Loaded = typeof import('yaml')

/** The position of the key of a part, as in JSON, or else of its nearest parent. */
export function locateInYaml(document: Document, lines: LineCounter, path: Path): Position {
  const { isNode } = requirePackage('yaml') as Loaded
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : findKeyOrItem(document, path.slice(0, length))
    if (isNode(node) && node.range) return positionAt(lines, node.range[0])
  }
  return { line: 1, column: 1 }
}

function findKeyOrItem(document: Document, path: Path): unknown {
  const { isMap, isScalar } = requirePackage('yaml') as Loaded
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (!isMap(parent)) return document.getIn(path, true)
  const wanted = String(path.at(-1))
  return parent.items.find(({ key }) => isScalar(key) && String(key.value) === wanted)?.key
}

/** The position at which the author has to look for a syntax error, which is not always where the parser found it. */
export function locateSyntaxError(document: Document, lines: LineCounter, text: string): Position {
  const [error, next] = [...document.errors, ...document.warnings]
  const start = error?.pos[0] ?? 0
  const opening = error && findUnclosedOpening(document, error, text)
  if (opening !== undefined) return positionAt(lines, opening)
  // A line that is indented too far continues the value before it: the error is in the line, not in that value.
  if (next?.code === 'MULTILINE_IMPLICIT_KEY' && error?.code === 'BLOCK_AS_IMPLICIT_KEY') {
    return positionAt(lines, lineStartAt(text, next.pos[1]))
  }
  return positionAt(lines, start)
}

/** The quote or bracket that is never closed: the parser only notices it at the end of the file, or lines below. */
function findUnclosedOpening(document: Document, { code, pos }: YAMLError, text: string): number | undefined {
  if (code !== 'MISSING_CHAR' && code !== 'BAD_INDENT') return undefined
  const { isCollection, isScalar, visit } = requirePackage('yaml') as Loaded
  let opening: number | undefined
  visit(document, {
    Node(_, node: Node) {
      const opens = isScalar(node) ? node.type?.startsWith('QUOTE_') : isCollection(node) && node.flow
      if (opens && node.range?.[1] === pos[0] && !/[\]}]/.test(text.charAt(pos[0]))) opening = node.range[0]
    },
  })
  return opening
}

/** The first alias without an anchor before it, or inside of its own anchor: cases have no circular references. */
export function findBadAlias(
  document: Document,
  lines: LineCounter,
): (Position & { message: string }) | undefined {
  const { isAlias, isNode, visit } = requirePackage('yaml') as Loaded
  const anchors = new Map<string, Node>()
  let found: (Position & { message: string }) | undefined
  visit(document, (_, node, ancestors) => {
    if (!isAlias(node)) {
      if (isNode(node) && node.anchor !== undefined) anchors.set(node.anchor, node)
      return undefined
    }
    const target = anchors.get(node.source)
    if (target !== undefined && !ancestors.includes(target)) return undefined
    const problem =
      target === undefined
        ? `there is no anchor &${node.source} before *${node.source}`
        : `*${node.source} is a circular reference: it is inside of &${node.source}`
    found = { message: `invalid YAML: ${problem}`, ...positionAt(lines, node.range?.[0] ?? 0) }
    return visit.BREAK
  })
  return found
}

function lineStartAt(text: string, offset: number): number {
  const line = text.lastIndexOf('\n', offset - 1) + 1
  return line + text.slice(line).search(/\S/)
}

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}
