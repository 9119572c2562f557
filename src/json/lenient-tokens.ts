/** A piece of what is almost JSON. */
export interface Token {
  kind: 'mark' | 'string' | 'word' | 'number' | 'end'
  /** As JSON writes it, where that is known already. */
  text: string
  /** Where the next one may begin. */
  end: number
}

const word = /[\p{L}_$][\p{L}\p{N}_$-]*/uy
const number = /[-\d][\d.eE+-]*/y

/** What is wrong with what is almost JSON, in the words of a reason. */
export type Repair =
  | 'trailing comma'
  | 'single quotes'
  | 'unquoted keys'
  | 'comments'
  | 'words of Python'
  | 'line breaks in strings'
  | 'bad escapes'
  | 'missing brackets'
  | 'cut off'

/**
 * The next piece at or after `from`; what was wrong on the way there is added to `repairs`. Undefined where there is
 * something that JSON has no likeness of.
 */
export function readToken(text: string, from: number, repairs: Set<Repair>): Token | undefined {
  const at = skipSpace(text, from, repairs)
  if (at === undefined) return undefined
  if (at === text.length) return { kind: 'end', text: '', end: at }
  const character = text.charAt(at)
  if ('{}[],:'.includes(character)) return { kind: 'mark', text: character, end: at + 1 }
  if (character === '"' || character === "'") return readString(text, at, character, repairs)
  return match(number, 'number', text, at) ?? match(word, 'word', text, at)
}

function match(pattern: RegExp, kind: 'word' | 'number', text: string, at: number): Token | undefined {
  pattern.lastIndex = at
  const [found] = pattern.exec(text) ?? []
  return found === undefined ? undefined : { kind, text: found, end: at + found.length }
}

/** Past white space and comments. Undefined in a comment that does not end. */
function skipSpace(text: string, from: number, repairs: Set<Repair>): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith('//', at) || text.startsWith('/*', at)) repairs.add('comments')
    if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2)
      if (end === -1) return undefined
      at = end + 1
    } else if (!' \t\r\n'.includes(text.charAt(at))) {
      return at
    }
  }
  return text.length
}

const backslash = 0x5c
const space = 0x20

/** In double quotes, with what they need. One that the end of the text cuts off ends there. */
function readString(text: string, start: number, quote: string, repairs: Set<Repair>): Token | undefined {
  if (quote === "'") repairs.add('single quotes')
  const parts = ['"']
  let kept = start + 1
  const replace = (at: number, length: number, by: string, repair?: Repair) => {
    parts.push(text.slice(kept, at), by)
    kept = at + length
    if (repair !== undefined) repairs.add(repair)
  }
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const character = text.charAt(at)
    if (character === quote) {
      parts.push(text.slice(kept, at), '"')
      return { kind: 'string', text: parts.join(''), end: at + 1 }
    }
    if (code === backslash) {
      // JSON has no such escape.
      if (text.charAt(at + 1) === "'") replace(at, 1, '', 'bad escapes')
      at++
    } else if (character === '"') {
      replace(at, 1, '\\"')
    } else if (code < space) {
      replace(at, 1, JSON.stringify(character).slice(1, -1), 'line breaks in strings')
    }
  }
  repairs.add('cut off')
  return cutOff(parts, text.slice(kept))
}

/** Whether a bracket at the end is still of the text, or its quote was forgotten before it, is anybody's guess. */
function cutOff(parts: string[], rest: string): Token | undefined {
  if (/[}\]\\]$/.test(rest)) return undefined
  return { kind: 'string', text: `${parts.join('')}${rest}"`, end: Number.POSITIVE_INFINITY }
}
