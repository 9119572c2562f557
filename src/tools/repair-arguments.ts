import { isRecord, parseJson } from '../json.ts'
import { readToken, type Token } from './lenient-tokens.ts'

/** Deeper data than this is nobody's arguments, and would overflow what reads it later. */
const maxDepth = 500

/** Words of Python that JSON has too. */
const words = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

/**
 * Arguments that a model wrote as text which is almost a JSON object: in a code fence, with comments or commas too
 * many, with single quotes or none, with Python's words, or without its end. What is not clear comes back unchanged.
 */
export function repairArguments(args: unknown): unknown {
  if (typeof args !== 'string') return args
  const json = rewritten(withoutFence(args.trim()))
  const repaired = json === undefined ? undefined : parseJson(json)
  return isRecord(repaired) ? repaired : args
}

/** Only where the fence is all there is: what stands in prose is not looked for. */
function withoutFence(text: string): string {
  const fence = /^`{3,}/.exec(text)?.[0]
  if (fence === undefined) return text
  const [opening = ''] = /^`+\w*/.exec(text) ?? []
  const end = text.length > opening.length && text.endsWith(fence) ? -fence.length : undefined
  return text.slice(opening.length, end).trim()
}

interface Rewriting {
  json: string[]
  open: ('{' | '[')[]
  /** The last bracket, comma or colon, if nothing came after it. */
  last: string | undefined
}

/** The text as JSON, or as what JSON.parse refuses; undefined where it is plain that there is no object. */
function rewritten(text: string): string | undefined {
  const rewriting: Rewriting = { json: [], open: [], last: undefined }
  let token = readToken(text, 0)
  if (token?.text !== '{' || token.kind !== 'mark') return undefined
  for (; token !== undefined; token = readToken(text, token.end)) {
    if (token.kind === 'end') {
      closeTo(rewriting, 0)
      return rewriting.json.join('')
    }
    const isOver = rewriting.open.length === 0 && rewriting.json.length > 0
    if (isOver || !take(rewriting, token)) return undefined
  }
  return undefined
}

/** False for what cannot stand there. */
function take(rewriting: Rewriting, { kind, text }: Token): boolean {
  if (text === '}' && kind === 'mark') return close(rewriting, '{')
  if (text === ']' && kind === 'mark') return close(rewriting, '[')
  // A comma is written with what follows it, so that none is left over before an end.
  const { json, open, last } = rewriting
  const wasComma = last === ','
  const isKey = open.at(-1) === '{' && (last === '{' || wasComma)
  if (text === ',' && kind === 'mark') {
    if (last !== undefined) return false
    rewriting.last = ','
    return true
  }
  if (wasComma) json.push(',')
  const written = kind === 'word' ? (isKey ? JSON.stringify(text) : words.get(text)) : text
  if (written === undefined) return false
  json.push(kind === 'number' && isKey ? JSON.stringify(text) : written, ' ')
  rewriting.last = kind === 'mark' ? text : undefined
  if (kind === 'mark' && text !== ':') open.push(text as '{' | '[')
  return open.length <= maxDepth
}

/** Ends what is still open inside of it too. */
function close(rewriting: Rewriting, bracket: '{' | '['): boolean {
  const at = rewriting.open.lastIndexOf(bracket)
  if (at === -1) return false
  closeTo(rewriting, at)
  return true
}

function closeTo(rewriting: Rewriting, length: number): void {
  for (const bracket of rewriting.open.splice(length).reverse())
    rewriting.json.push(bracket === '{' ? '}' : ']')
  rewriting.last = undefined
}
