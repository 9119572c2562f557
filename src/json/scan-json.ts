import { deepestData } from './json.ts'

interface Scan {
  /** Just past the closing bracket; absent when there is no whole value at `start`. */
  end?: number
  /** How far it was read: the price of the scan. */
  reached: number
  /** The text ended before the value did. */
  truncated: boolean
  /** How many keys were read: more than the value has when one of them is there twice. */
  keys: number
}

type Expecting = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end'

const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Reads the object or array that opens at `start`, giving up at the first character that is not JSON. */
export function scanJson(text: string, start: number): Scan {
  const open: ('{' | '[')[] = []
  let expecting: Expecting = 'value'
  let at = start
  let keys = 0
  const failed = (truncated = false): Scan => ({ reached: at, truncated, keys })

  for (; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === ' ' || character === '\n' || character === '\t' || character === '\r') continue
    if ((character === '{' || character === '[') && expecting.startsWith('value')) {
      if (open.push(character) > deepestData) return failed()
      expecting = character === '{' ? 'key or end' : 'value or end'
    } else if ((character === '}' || character === ']') && expecting.endsWith('or end')) {
      if (open.pop() !== (character === '}' ? '{' : '[')) return failed()
      if (open.length === 0) return { end: at + 1, reached: at + 1, truncated: false, keys }
      expecting = 'comma or end'
    } else if (character === ',' && expecting === 'comma or end') {
      expecting = open.at(-1) === '{' ? 'key' : 'value'
    } else if (character === ':' && expecting === 'colon') {
      keys += 1
      expecting = 'value'
    } else if (character === '"' && (expecting.startsWith('key') || expecting.startsWith('value'))) {
      const end = endOfString(text, at)
      if (end < text.length && text.charCodeAt(end) !== quote) return failed()
      if (end >= text.length) return failed(true)
      expecting = expecting.startsWith('key') ? 'colon' : 'comma or end'
      at = end
    } else if (expecting.startsWith('value')) {
      const end = endOfScalar(text, at)
      if (end === undefined) return failed()
      expecting = 'comma or end'
      at = end - 1
    } else {
      return failed()
    }
  }
  return failed(true)
}

const backslash = 0x5c
const quote = 0x22
const space = 0x20
const lineBreak = 0x0a

/** Where its closing quote is, or what breaks it: a control character, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote || code < space) break
  }
  return at
}

function endOfScalar(text: string, start: number): number | undefined {
  scalar.lastIndex = start
  return scalar.test(text) ? scalar.lastIndex : undefined
}

/** What the brackets of a text say that should be JSON, whether it is or not. */
export interface BracketCount {
  /** Brackets that are open. */
  level: number
  deepest: number
  /** Colons outside strings, which follow keys. */
  colons: number
}

export function noBrackets(): BracketCount {
  return { level: 0, deepest: 0, colons: 0 }
}

/**
 * Goes on counting at `from`, outside of strings; a line break ends a string. Returns where it stopped: at the end of the
 * text, or `ofOneValue` at the end of the value, which a comma or a bracket of what is around it ends too.
 */
export function countBrackets(count: BracketCount, text: string, from = 0, ofOneValue = false): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      do at = endOfString(text, at)
      while (at < text.length && text.charCodeAt(at) !== quote && text.charCodeAt(at) !== lineBreak)
    } else if (ofOneValue && count.level === 0 && (code === 0x2c || code === 0x5d)) return at
    else if (code === 0x7b || code === 0x5b) {
      count.level += 1
      if (count.level > count.deepest) count.deepest = count.level
    } else if (code === 0x7d || code === 0x5d) {
      count.level -= 1
      if (ofOneValue && count.level === 0) return at + 1
    } else if (code === 0x3a) count.colons += 1
  }
  return text.length
}
