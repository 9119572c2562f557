import { valueForms } from './value-forms.ts'

/** Redacting a shorter value would blank out ordinary words. */
const shortest = 4

/** The oldest values are forgotten when there are more than this. */
const mostValues = 50_000
const mostCharacters = 8_000_000

/** Enough letters to distinguish values that start or end the same way. */
const distinct = 16

/** A part of a text that is redacted. */
type Span = [start: number, end: number]

/** Needles that start or end the same way. The number says of how many values a needle is a form. */
interface Bucket {
  needles: Map<string, number>
  /** Longest first. */
  lengths: number[]
}

/** Keys are the first or last four letters, packed into a number, and the first or last sixteen as text. */
type Buckets = Map<number | string, Bucket>

/**
 * Values that are redacted wherever they occur: in upper or lower case, encoded, or cut off at an ellipsis. Adding a
 * value costs the same however many are known.
 */
export class KnownValues {
  readonly #replacement: string
  readonly #limit: number
  /** The newest is last. */
  readonly #values = new Set<string>()
  #characters = 0
  #longest = 0
  readonly #starts: Buckets = new Map()
  readonly #ends: Buckets = new Map()

  constructor(replacement: string, limit = mostValues) {
    this.#replacement = replacement
    this.#limit = limit
  }

  add(value: string): void {
    if (value.length < shortest || value === this.#replacement) return
    if (this.#values.delete(value)) {
      this.#values.add(value)
      return
    }
    this.#values.add(value)
    this.#characters += value.length
    for (const needle of encodeNeedles(value)) {
      this.#longest = Math.max(this.#longest, needle.length)
      for (const key of startKeys(needle)) addNeedle(this.#starts, key, needle)
      for (const key of endKeys(needle)) addNeedle(this.#ends, key, needle)
    }
    if (this.#values.size > this.#limit || this.#characters > mostCharacters) this.#forgetOldest()
  }

  redact(text: string): string {
    if (this.#values.size === 0 || text.length < shortest) return text
    const folded = toLowerAscii(text)
    const spans = [...this.#findWhole(folded), ...this.#findCut(folded)]
    return spans.length === 0 ? text : replaceSpans(text, spans, this.#replacement)
  }

  /** Forgets a tenth at once, because finding the oldest takes time. */
  #forgetOldest(): void {
    for (const value of this.#values) {
      if (this.#values.size <= this.#limit * 0.9 && this.#characters <= mostCharacters * 0.9) return
      this.#values.delete(value)
      this.#characters -= value.length
      for (const needle of encodeNeedles(value)) {
        for (const key of startKeys(needle)) removeNeedle(this.#starts, key, needle)
        for (const key of endKeys(needle)) removeNeedle(this.#ends, key, needle)
      }
    }
  }

  /** Overlapping values are all found, so that no part of any of them is left. */
  #findWhole(text: string): Span[] {
    const spans: Span[] = []
    let letters = 0
    for (let at = 0; at < text.length; at++) {
      letters = pushLetter(letters, text, at)
      const start = at - shortest + 1
      const bucket = start < 0 ? undefined : this.#starts.get(letters)
      const length = bucket?.lengths.find(
        (each) => start + each <= text.length && bucket.needles.has(text.slice(start, start + each)),
      )
      if (length !== undefined) spans.push([start, start + length])
    }
    return spans
  }

  /** Finds what is left of a value before or after an ellipsis. */
  #findCut(text: string): Span[] {
    const spans: Span[] = []
    let from = 0
    for (let at = text.indexOf('…'); at !== -1; at = text.indexOf('…', from)) {
      spans.push(...this.#findStart(text, from, at))
      from = at + 1
      const next = text.indexOf('…', from)
      spans.push(...this.#findEnd(text, from, next === -1 ? text.length : next))
    }
    return spans
  }

  #findStart(text: string, from: number, end: number): Span[] {
    for (let start = Math.max(from, end - this.#longest); start <= end - shortest; start++) {
      if (!this.#starts.has(packLetters(text, start))) continue
      const rest = text.slice(start, end)
      const [letters, more = letters] = startKeys(rest)
      if (some(this.#starts.get(more), (needle) => needle.startsWith(rest))) return [[start, end]]
    }
    return []
  }

  #findEnd(text: string, start: number, to: number): Span[] {
    for (let end = Math.min(to, start + this.#longest); end >= start + shortest; end--) {
      if (!this.#ends.has(packLetters(text, end - shortest))) continue
      const rest = text.slice(start, end)
      const [letters, more = letters] = endKeys(rest)
      if (some(this.#ends.get(more), (needle) => needle.endsWith(rest))) return [[start, end]]
    }
    return []
  }
}

function encodeNeedles(value: string): Set<string> {
  return new Set(valueForms(value).map(toLowerAscii))
}

/** Only A to Z are lowered: other letters may change their length. */
function toLowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Packs four letters into a number. Different letters may give the same number: the needles decide. */
function packLetters(text: string, start: number): number {
  let letters = 0
  for (let at = start; at < start + shortest; at++) letters = pushLetter(letters, text, at)
  return letters
}

function pushLetter(letters: number, text: string, at: number): number {
  return (letters << 8) | (text.charCodeAt(at) & 0xff)
}

function startKeys(needle: string): [number, ...string[]] {
  const letters = packLetters(needle, 0)
  return needle.length < distinct ? [letters] : [letters, needle.slice(0, distinct)]
}

function endKeys(needle: string): [number, ...string[]] {
  const letters = packLetters(needle, needle.length - shortest)
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

function replaceSpans(text: string, spans: readonly Span[], replacement: string): string {
  let rest = ''
  let done = 0
  for (const [start, end] of spans.toSorted(([a], [b]) => a - b)) {
    if (start >= done) rest += `${text.slice(done, start)}${replacement}`
    done = Math.max(done, end)
  }
  return rest + text.slice(done)
}
