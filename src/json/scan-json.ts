/** Deeper data than this is nobody's answer, and would overflow what reads it later. */
const maxDepth = 500

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
      if (open.push(character) > maxDepth) return failed()
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
      if (end === undefined) return failed()
      if (end > text.length) return failed(true)
      expecting = expecting.startsWith('key') ? 'colon' : 'comma or end'
      at = end - 1
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

// Past the end of the text when the string never closes.
function endOfString(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote) return at + 1
    else if (code < space) return undefined
  }
  return text.length + 1
}

const backslash = 0x5c
const quote = 0x22
const space = 0x20

function endOfScalar(text: string, start: number): number | undefined {
  scalar.lastIndex = start
  return scalar.test(text) ? scalar.lastIndex : undefined
}
