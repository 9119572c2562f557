import { inspect } from 'node:util'
import { isPlain, readBrand } from '../../../json/equal/brand.ts'
import {
  isArray,
  keysOf,
  prototypeOf,
  readSource,
  stringify,
  symbolText,
} from '../../../json/equal/untouched.ts'
import { cutText, shorten } from '../../../text/shorten.ts'
import { describeKind } from './kind.ts'

/** Shows values in reasons. Nothing in here may throw, whatever the value does. */

const valueLimit = 80
const maxShownDepth = 6

export const unshowable = 'a value that cannot be shown'

/** Shows data as compact JSON, and other values in the clearest way: `[Function add]`, `Foo {"id":1}`. */
export function showValue(value: unknown, limit = valueLimit): string {
  try {
    return typeof value === 'string' ? quoteText(value, limit) : shorten(write(value, limit, []), limit)
  } catch {
    return unshowable
  }
}

/** Adds the type where it is not obvious: `1 (a number)`. */
export function showWithKind(value: unknown): string {
  const isPlainToSee = value === null || value === undefined || typeof value === 'boolean'
  return isPlainToSee ? showValue(value) : `${showValue(value)} (${describeKind(value)})`
}

/** Shows two values that differ; long texts from shortly before the difference. */
export function showBoth(expected: unknown, actual: unknown): [string, string] {
  if (typeof expected !== 'string' || typeof actual !== 'string') {
    return [showValue(expected), showValue(actual)]
  }
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same += 1
  const isFar = same > valueLimit / 2 && Math.max(expected.length, actual.length) > valueLimit
  const start = isFar ? same - valueLimit / 4 : 0
  return [quoteFrom(expected, start), quoteFrom(actual, start)]
}

function quoteFrom(text: string, start: number): string {
  return start === 0 ? quoteText(text, valueLimit) : `"…${quoteText(text.slice(start), valueLimit).slice(1)}`
}

function quoteText(text: string, limit: number): string {
  return text.length > limit ? `${stringify(cutText(text, limit)).slice(0, -1)}…"` : stringify(text)
}

function write(value: unknown, room: number, ancestors: object[]): string {
  if (typeof value === 'string') return quoteText(value, room)
  const leaf = leafText(value)
  if (leaf !== undefined || typeof value !== 'object' || value === null) return leaf ?? String(value)
  if (ancestors.includes(value)) return '[Circular]'
  const [open, close] = isArray(value) ? ['[', ']'] : [`${classPrefix(value)}{`, '}']
  if (ancestors.length === maxShownDepth) return `${open}…${close}`
  const parts: string[] = []
  let left = room - open.length
  for (const key of keysOf(value)) {
    if (left < 0) break
    const item = write(readMember(value, key), left, [...ancestors, value])
    const part = isArray(value) ? item : `${stringify(key)}:${item}`
    left -= part.length + 1
    parts.push(part)
  }
  return `${open}${parts.join(',')}${close}`
}

/** Catches errors, because a getter is user code. */
export function readMember(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (error) {
    return new Error(`could not be read: ${describeThrownError(error)}`)
  }
}

/** The text of a value that JSON cannot hold; undefined for other values. */
export function leafText(value: unknown): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (value === undefined) return 'undefined'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'symbol') return symbolText(value)
  if (typeof value === 'function') return functionText(value)
  const brand = readBrand(value)
  if (brand === 'array' || (brand === 'object' && (isPlain(value) || keysOf(value).length > 0)))
    return undefined
  return brand === 'error' ? describeThrownError(value) : inspectValue(value)
}

function functionText(value: object): string {
  const name = readMember(value, 'name')
  const kind = /^class\b/.test(readSource(value)) ? 'class' : 'Function'
  return typeof name === 'string' && name !== '' ? `[${kind} ${name}]` : `[${kind}]`
}

function inspectValue(value: object): string {
  const options = {
    depth: 2,
    breakLength: Number.POSITIVE_INFINITY,
    maxArrayLength: 20,
    maxStringLength: 200,
  }
  return inspect(value, options)
}

function classPrefix(value: object): string {
  if (isPlain(value)) return ''
  const maker = readMember(prototypeOf(value), 'constructor')
  const name = typeof maker === 'function' ? readMember(maker, 'name') : undefined
  return typeof name === 'string' && name !== '' ? `${name} ` : ''
}

/** `TypeError: x is not a function`; for a plain `Error`, its message. */
export function describeThrownError(error: unknown): string {
  try {
    if (typeof error !== 'object' || error === null || !('message' in error))
      return `threw ${showValue(error)}`
    const { name, message } = error as { name?: unknown; message: unknown }
    const named = typeof name === 'string' && name !== '' ? name : 'Error'
    const text = typeof message === 'string' ? message : showValue(message)
    if (text === '') return named === 'Error' ? 'an Error without a message' : named
    return named === 'Error' ? text : `${named}: ${text}`
  } catch {
    return 'an error that cannot be shown'
  }
}
