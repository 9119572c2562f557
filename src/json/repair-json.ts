import { deepestData, parseJson } from './json.ts'
import { type Repair, readToken, type Token } from './lenient-tokens.ts'

/** Words of Python that JSON has too. */
const words = new Map([
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])

export interface RepairedJson {
  value: unknown
  /** Empty if the text was valid JSON. */
  repairs: readonly Repair[]
}

/**
 * The object or list that a model wrote as text which is almost JSON: in a code fence, with comments or commas too many,
 * with single quotes or none, with Python's words, or without its end. Undefined where it is not clear what is meant.
 * `cutValue`: what becomes of a text or a number that the end of the text may have cut in two.
 * Our own code, because jsonrepair guesses (`tru` becomes "tru"), and a guess must not become an agent's answer.
 */
export function repairJson(
  text: string,
  { cutValue = 'kept' }: { cutValue?: 'kept' | 'null' } = {},
): RepairedJson | undefined {
  const repairs = new Set<Repair>()
  const json = rewriteJson(withoutFence(text.trim()), repairs, cutValue)
  const value = json === undefined ? undefined : parseJson(json)
  return value === undefined ? undefined : { value, repairs: [...repairs] }
}

/** A note for a reason: ` (the JSON was repaired: trailing comma)`. */
export function repairNote(repairs: readonly Repair[] = []): string {
  return repairs.length === 0 ? '' : ` (the JSON was repaired: ${repairs.join(', ')})`
}

/** Removes a fence only if it is the whole text: JSON in prose is not repaired. */
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
  repairs: Set<Repair>
  /** The index in `json` of the last text or number; absent after a key, a word or a mark. */
  valueAt?: number | undefined
}

/** Rewrites the text as JSON, which may still be invalid; undefined if there is clearly no object or list. */
function rewriteJson(text: string, repairs: Set<Repair>, cutValue: 'kept' | 'null'): string | undefined {
  const rewriting: Rewriting = { json: [], open: [], last: undefined, repairs }
  let token = readToken(text, 0, repairs)
  if (token?.kind !== 'mark' || !'{['.includes(token.text)) return undefined
  for (let end = 0; token !== undefined; end = token.end, token = readToken(text, token.end, repairs)) {
    if (token.kind === 'end') {
      if (cutValue === 'null' && end >= text.length) dropCutValue(rewriting, text)
      if (rewriting.open.length > 0) repairs.add('cut off')
      closeTo(rewriting, 0)
      return rewriting.json.join('')
    }
    const isOver = rewriting.open.length === 0 && rewriting.json.length > 0
    if (isOver || !takeToken(rewriting, token)) return undefined
  }
  return undefined
}

/** A text with its closing quote is complete. */
function dropCutValue({ json, valueAt, open }: Rewriting, text: string): void {
  if (open.length === 0 || valueAt === undefined) return
  const isWhole = json[valueAt]?.startsWith('"') && /["']$/.test(text)
  if (!isWhole) json[valueAt] = 'null'
}

/** False for a token that is not allowed there. */
function takeToken(rewriting: Rewriting, { kind, text }: Token): boolean {
  if (text === '}' && kind === 'mark') return close(rewriting, '{')
  if (text === ']' && kind === 'mark') return close(rewriting, '[')
  // A comma is written together with what follows it, so that none is left before an end.
  const { json, open, last } = rewriting
  const wasComma = last === ','
  const isKey = open.at(-1) === '{' && (last === '{' || wasComma)
  if (text === ',' && kind === 'mark') {
    if (last !== undefined) return false
    rewriting.last = ','
    return true
  }
  if (wasComma) json.push(',')
  const written = writeToken(kind, text, isKey)
  if (written === undefined) return false
  if (written.repair !== undefined) rewriting.repairs.add(written.repair)
  rewriting.valueAt = !isKey && (kind === 'string' || kind === 'number') ? json.length : undefined
  json.push(written.json, ' ')
  rewriting.last = kind === 'mark' ? text : undefined
  if (kind === 'mark' && text !== ':') open.push(text as '{' | '[')
  return open.length <= deepestData
}

function writeToken(
  kind: Token['kind'],
  text: string,
  isKey: boolean,
): { json: string; repair?: Repair } | undefined {
  if (isKey && (kind === 'word' || kind === 'number'))
    return { json: JSON.stringify(text), repair: 'unquoted keys' }
  if (kind !== 'word') return { json: text }
  const json = words.get(text)
  if (json === undefined) return undefined
  return json === text ? { json } : { json, repair: 'words of Python' }
}

/** Also closes what is still open inside. */
function close(rewriting: Rewriting, bracket: '{' | '['): boolean {
  const { open, last, repairs } = rewriting
  const at = open.lastIndexOf(bracket)
  if (at === -1) return false
  if (last === ',') repairs.add('trailing comma')
  if (at < open.length - 1) repairs.add('missing brackets')
  closeTo(rewriting, at)
  return true
}

function closeTo(rewriting: Rewriting, length: number): void {
  for (const bracket of rewriting.open.splice(length).reverse())
    rewriting.json.push(bracket === '{' ? '}' : ']')
  rewriting.last = undefined
}
