import { type Brand, isPlain, readBrand } from './brand.ts'
import type { Mismatch, PathPart } from './difference.ts'
import { hiddenState } from './hidden-state.ts'
import {
  Bytes,
  isArray,
  isBigIntObject,
  isBooleanObject,
  isDataView,
  isEnumerable,
  isNumberObject,
  isStringObject,
  keysOf,
  OriginalRegExp,
  prototypeOf,
  readTime,
  symbolsOf,
  typedArrayLength,
  unwrapPrimitive,
  viewBuffer,
  viewLength,
  viewOffset,
} from './untouched.ts'

/** Parts of two objects that must be equal, one by one. */
export interface Parts {
  /** Indexes where there are none. */
  labels?: readonly PathPart[]
  actual: ArrayLike<unknown>
  expected: ArrayLike<unknown>
  length: number
}

export type Opened = { parts: Parts } | { mismatch: Mismatch }

export const noParts: Opened = { parts: { actual: [], expected: [], length: 0 } }

/** `===`, but NaN is NaN. */
export function isSame(left: unknown, right: unknown): boolean {
  // biome-ignore lint/suspicious/noSelfCompare: only NaN is not itself, and Number.isNaN can be replaced
  return left === right || (left !== left && right !== right)
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/**
 * Whether two objects can be equal at all; prototypes count, but not those of plain objects and of errors, nor those of
 * any objects and lists that are compared as data.
 */
export function sharedBrand(actual: object, expected: object, asData: boolean): Brand | undefined {
  const brand = readBrand(actual)
  if (brand !== readBrand(expected)) return undefined
  if (asData && (brand === 'object' || brand === 'array')) return brand
  if (brand === 'error' || (isPlain(actual) && isPlain(expected))) return brand
  return prototypeOf(actual) === prototypeOf(expected) ? brand : undefined
}

/** Takes two objects of one brand apart. Maps and Sets are not ordered, and compared elsewhere. */
export function openBoth(
  brand: Exclude<Brand, 'map' | 'set'>,
  actual: object,
  expected: object,
  asData: boolean,
): Opened {
  switch (brand) {
    case 'object':
      return openObjects(actual, expected, asData)
    case 'array':
      return openArrays(asList(actual), asList(expected), asData)
    case 'error':
      return openErrors(actual, expected, asData)
    case 'typed array':
      return openLists(asTyped(actual), asTyped(expected))
    case 'bytes':
      return openLists(readBytes(actual), readBytes(expected))
    case 'date':
      return byValue(readTime(actual), readTime(expected), actual, expected)
    case 'regexp':
      return byValue(patternText(actual), patternText(expected), actual, expected)
    case 'boxed':
      return byValue(unboxed(actual), unboxed(expected), actual, expected)
    case 'opaque':
      return { mismatch: { about: 'value', actual, expected } }
  }
}

function byValue(left: unknown, right: unknown, actual: object, expected: object): Opened {
  return isSame(left, right) ? noParts : { mismatch: { about: 'value', actual, expected } }
}

/** In a longer list only existing items are compared: most of it may be holes. */
const longestWalk = 10_000_000

function openArrays(actual: List, expected: List, asData: boolean): Opened {
  const isLong = actual.length === expected.length && actual.length > longestWalk
  return isLong ? openObjects(actual.items, expected.items, asData) : openLists(actual, expected)
}

interface List {
  items: ArrayLike<unknown>
  length: number
}

/** Compares only items: other properties of an array do not count, and a hole is undefined. */
function openLists(actual: List, expected: List): Opened {
  if (actual.length !== expected.length) {
    return { mismatch: { about: 'size', actual: actual.length, expected: expected.length } }
  }
  return { parts: { actual: actual.items, expected: expected.items, length: actual.length } }
}

function asList(value: object): List {
  if (!isArray(value)) throw new TypeError('not an array')
  return { items: value, length: value.length }
}

function asTyped(value: object): List {
  return { items: value as ArrayLike<unknown>, length: Number(typedArrayLength(value)) }
}

function readBytes(value: object): List {
  const bytes = isDataView(value)
    ? new Bytes(viewBuffer(value) as ArrayBuffer, Number(viewOffset(value)), Number(viewLength(value)))
    : new Bytes(value as ArrayBuffer)
  return asTyped(bytes)
}

function openObjects(actual: object, expected: object, asData: boolean): Opened {
  const labels = visibleKeys(expected, asData)
  const others = visibleKeys(actual, asData)
  if (labels.length === 0 && others.length === 0) return openHidden(actual, expected, asData)
  return oneSided(actual, expected, labels, others) ?? readBoth(labels, actual, expected)
}

/** Errors are their name, their message, and what else they carry; the stack is where they were made. */
function openErrors(actual: object, expected: object, asData: boolean): Opened {
  const labels = keysOfError(expected, asData)
  const mismatch = oneSided(actual, expected, labels, keysOfError(actual, asData))
  if (mismatch !== undefined) return mismatch
  labels[labels.length] = 'name'
  labels[labels.length] = 'message'
  return readBoth(labels, actual, expected)
}

function keysOfError(error: object, asData: boolean): (string | symbol)[] {
  const carried: (string | symbol)[] = []
  const keys = visibleKeys(error, asData)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? ''
    if (key !== 'name' && key !== 'message' && key !== 'stack') carried[carried.length] = key
  }
  return carried
}

function oneSided(
  actual: object,
  expected: object,
  labels: readonly (string | symbol)[],
  others: readonly (string | symbol)[],
): Opened | undefined {
  for (let index = 0; index < labels.length; index++) {
    const label = labels[index] ?? ''
    if (isEnumerable(actual, label)) continue
    return { mismatch: { about: 'missing', label, expected: member(expected, label) } }
  }
  for (let index = 0; index < others.length; index++) {
    const label = others[index] ?? ''
    if (isEnumerable(expected, label)) continue
    return { mismatch: { about: 'extra', label, actual: member(actual, label) } }
  }
  return undefined
}

/** Reads each property once: getters are user code. */
function readBoth(labels: readonly (string | symbol)[], left: object, right: object): Opened {
  const actual: unknown[] = []
  const expected: unknown[] = []
  for (let index = 0; index < labels.length; index++) {
    actual[index] = member(left, labels[index] ?? '')
    expected[index] = member(right, labels[index] ?? '')
  }
  return { parts: { labels, actual, expected, length: labels.length } }
}

function openHidden(actual: object, expected: object, asData: boolean): Opened {
  if (isPlain(actual) && isPlain(expected)) return noParts
  if (sharedBrand(actual, expected, false) === undefined)
    return { mismatch: { about: 'value', actual, expected } }
  const left = hiddenState(actual, asData)
  const right = hiddenState(expected, asData)
  if (left === undefined || right === undefined) return noParts
  const parts = { labels: [{ call: right.call }], actual: [left.value], expected: [right.value], length: 1 }
  return { parts }
}

/** As data, a key that is undefined is none. */
function visibleKeys(value: object, asData: boolean): (string | symbol)[] {
  const keys: (string | symbol)[] = keysOf(value)
  if (asData) return keys.filter((key) => member(value, key) !== undefined)
  const symbols = symbolsOf(value)
  for (let index = 0; index < symbols.length; index++) {
    const symbol = symbols[index]
    if (symbol !== undefined && isEnumerable(value, symbol)) keys[keys.length] = symbol
  }
  return keys
}

function member(value: object, key: string | symbol): unknown {
  return (value as Record<string | symbol, unknown>)[key]
}

function patternText(value: object): string {
  const { source, flags } = new OriginalRegExp(value as RegExp)
  return `/${source}/${flags}`
}

function unboxed(value: object): unknown {
  if (isStringObject(value)) return unwrapPrimitive.string(value)
  if (isNumberObject(value)) return unwrapPrimitive.number(value)
  if (isBooleanObject(value)) return unwrapPrimitive.boolean(value)
  return isBigIntObject(value) ? unwrapPrimitive.bigint(value) : unwrapPrimitive.symbol(value)
}
