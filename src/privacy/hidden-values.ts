import { valueForms } from './value-forms.ts'

/** A shorter one would blank out ordinary words. */
const shortest = 4

/** How much is kept: of values, and of characters in them. */
const mostValues = 50_000
const mostCharacters = 8_000_000

/** Enough letters to tell values apart that begin or end alike. */
const distinct = 16

/** From where to where something is hidden. */
type Span = [start: number, end: number]

/** Needles that begin or end alike, with how many values they are a form of. */
interface Bucket {
  needles: Map<string, number>
  /** Longest first. */
  lengths: number[]
}

/** By four letters as a number, and by sixteen as they are. */
type Buckets = Map<number | string, Bucket>

/**
 * Values that are hidden wherever they stand, in capitals or not, encoded, or cut off at an ellipsis. A value more costs
 * the same whatever is known already; the oldest are forgotten when there are too many.
 */
export class HiddenValues {
  readonly #mask: string
  readonly #limit: number
  /** The latest last. */
  readonly #values = new Set<string>()
  #characters = 0
  #longest = 0
  readonly #starts: Buckets = new Map()
  readonly #ends: Buckets = new Map()

  constructor(mask: string, limit = mostValues) {
    this.#mask = mask
    this.#limit = limit
  }

  add(value: string): void {
    if (value.length < shortest || value === this.#mask) return
    if (this.#values.delete(value)) {
      this.#values.add(value)
      return
    }
    this.#values.add(value)
    this.#characters += value.length
    for (const needle of needlesOf(value)) {
      this.#longest = Math.max(this.#longest, needle.length)
      for (const key of startsOf(needle)) addNeedle(this.#starts, key, needle)
      for (const key of endsOf(needle)) addNeedle(this.#ends, key, needle)
    }
    if (this.#values.size > this.#limit || this.#characters > mostCharacters) this.#forgetOldest()
  }

  hide(text: string): string {
    if (this.#values.size === 0 || text.length < shortest) return text
    const folded = inSmallLetters(text)
    const spans = [...this.#wholeIn(folded), ...this.#cutIn(folded)]
    return spans.length === 0 ? text : withoutSpans(text, spans, this.#mask)
  }

  /** A tenth at once: to look for the oldest takes time. */
  #forgetOldest(): void {
    for (const value of this.#values) {
      if (this.#values.size <= this.#limit * 0.9 && this.#characters <= mostCharacters * 0.9) return
      this.#values.delete(value)
      this.#characters -= value.length
      for (const needle of needlesOf(value)) {
        for (const key of startsOf(needle)) removeNeedle(this.#starts, key, needle)
        for (const key of endsOf(needle)) removeNeedle(this.#ends, key, needle)
      }
    }
  }

  /** Also those that overlap: of neither may a piece be left. */
  #wholeIn(text: string): Span[] {
    const spans: Span[] = []
    let letters = 0
    for (let at = 0; at < text.length; at++) {
      letters = withLetter(letters, text, at)
      const start = at - shortest + 1
      const bucket = start < 0 ? undefined : this.#starts.get(letters)
      const length = bucket?.lengths.find(
        (each) => start + each <= text.length && bucket.needles.has(text.slice(start, start + each)),
      )
      if (length !== undefined) spans.push([start, start + length])
    }
    return spans
  }

  /** As much of a value as is left of it before or after the ellipsis. */
  #cutIn(text: string): Span[] {
    const spans: Span[] = []
    let from = 0
    for (let at = text.indexOf('…'); at !== -1; at = text.indexOf('…', from)) {
      spans.push(...this.#startBefore(text, from, at))
      from = at + 1
      const next = text.indexOf('…', from)
      spans.push(...this.#endAfter(text, from, next === -1 ? text.length : next))
    }
    return spans
  }

  #startBefore(text: string, from: number, end: number): Span[] {
    for (let start = Math.max(from, end - this.#longest); start <= end - shortest; start++) {
      if (!this.#starts.has(lettersAt(text, start))) continue
      const rest = text.slice(start, end)
      const [letters, more = letters] = startsOf(rest)
      if (some(this.#starts.get(more), (needle) => needle.startsWith(rest))) return [[start, end]]
    }
    return []
  }

  #endAfter(text: string, start: number, to: number): Span[] {
    for (let end = Math.min(to, start + this.#longest); end >= start + shortest; end--) {
      if (!this.#ends.has(lettersAt(text, end - shortest))) continue
      const rest = text.slice(start, end)
      const [letters, more = letters] = endsOf(rest)
      if (some(this.#ends.get(more), (needle) => needle.endsWith(rest))) return [[start, end]]
    }
    return []
  }
}

function needlesOf(value: string): Set<string> {
  return new Set(valueForms(value).map(inSmallLetters))
}

/** Of A to Z only: no letter may change its length. */
function inSmallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Four letters as one number; what they share with others is told apart by the needles themselves. */
function lettersAt(text: string, start: number): number {
  let letters = 0
  for (let at = start; at < start + shortest; at++) letters = withLetter(letters, text, at)
  return letters
}

function withLetter(letters: number, text: string, at: number): number {
  return (letters << 8) | (text.charCodeAt(at) & 0xff)
}

function startsOf(needle: string): [number, ...string[]] {
  const letters = lettersAt(needle, 0)
  return needle.length < distinct ? [letters] : [letters, needle.slice(0, distinct)]
}

function endsOf(needle: string): [number, ...string[]] {
  const letters = lettersAt(needle, needle.length - shortest)
  return needle.length < distinct ? [letters] : [letters, needle.slice(-distinct)]
}

function addNeedle(buckets: Buckets, key: number | string, needle: string): void {
  const bucket: Bucket = buckets.get(key) ?? { needles: new Map(), lengths: [] }
  buckets.set(key, bucket)
  bucket.needles.set(needle, (bucket.needles.get(needle) ?? 0) + 1)
  if (bucket.lengths.includes(needle.length)) return
  bucket.lengths.push(needle.length)
  bucket.lengths.sort((a, b) => b - a)
}

function removeNeedle(buckets: Buckets, key: number | string, needle: string): void {
  const needles = buckets.get(key)?.needles
  const count = needles?.get(needle) ?? 0
  if (count > 1) needles?.set(needle, count - 1)
  else needles?.delete(needle)
  if (needles?.size === 0) buckets.delete(key)
}

function some(bucket: Bucket | undefined, holds: (needle: string) => boolean): boolean {
  for (const needle of bucket?.needles.keys() ?? []) if (holds(needle)) return true
  return false
}

function withoutSpans(text: string, spans: readonly Span[], mask: string): string {
  let rest = ''
  let done = 0
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (start >= done) rest += `${text.slice(done, start)}${mask}`
    done = Math.max(done, end)
  }
  return rest + text.slice(done)
}
