import { types } from 'node:util'

/**
 * Built-in functions as they were before any user code ran. A script may replace them, by accident or to fake a clock; the
 * code that decides whether a test passed uses these, and neither iterators nor methods of arrays.
 */

/** Turns a method into a function whose first argument is `this`. */
function free<Args extends unknown[], Result>(
  method: (...args: Args) => Result,
): (self: unknown, ...args: Args) => Result {
  return call.bind(method) as (self: unknown, ...args: Args) => Result
}

const { call } = Function.prototype

function findGetter(prototype: object, name: PropertyKey): (self: unknown) => unknown {
  const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get
  if (getter === undefined) throw new TypeError(`${String(name)} is no getter`)
  return free(getter)
}

export const {
  keys: keysOf,
  getPrototypeOf: prototypeOf,
  getOwnPropertySymbols: symbolsOf,
  getOwnPropertyDescriptor: propertyOf,
  create: createObject,
  freeze,
  hasOwn,
} = Object
export const plainPrototype: object = Object.prototype
export const isEnumerable = free(Object.prototype.propertyIsEnumerable)
export const plainToString = Object.prototype.toString

export const { apply } = Reflect
export const { isArray } = Array
export const { isInteger } = Number
export const { parse, stringify } = JSON
export const readSource = free(Function.prototype.toString)
export const symbolText = free(Symbol.prototype.toString)
const hasInstance = free<[unknown], boolean>(Function.prototype[Symbol.hasInstance])
const OriginalError = Error
export const now = performance.now.bind(performance)

export const includes = free(String.prototype.includes)
export const unwrapPrimitive = {
  string: free(String.prototype.valueOf),
  number: free(Number.prototype.valueOf),
  boolean: free(Boolean.prototype.valueOf),
  bigint: free(BigInt.prototype.valueOf),
  symbol: free(Symbol.prototype.valueOf),
}

export const readTime = free(Date.prototype.getTime)
export const OriginalRegExp = RegExp
export const execute = free(RegExp.prototype.exec)
export const OriginalSegmenter = Intl.Segmenter

export const OriginalMap = Map
export const OriginalSet = Set
export const mapGet = free<[unknown], unknown>(Map.prototype.get)
export const mapHas = free<[unknown], boolean>(Map.prototype.has)
export const mapSet = free<[unknown, unknown], unknown>(Map.prototype.set)
export const mapSize = findGetter(Map.prototype, 'size')
export const mapForEach = free<[(value: unknown, key: unknown) => void], void>(Map.prototype.forEach)
export const setHas = free<[unknown], boolean>(Set.prototype.has)
export const setAdd = free<[unknown], unknown>(Set.prototype.add)
export const setDelete = free<[unknown], boolean>(Set.prototype.delete)
export const setSize = findGetter(Set.prototype, 'size')
export const setForEach = free<[(value: unknown) => void], void>(Set.prototype.forEach)

const typedArrayPrototype: object = Object.getPrototypeOf(Uint8Array.prototype)
export const typedArrayLength = findGetter(typedArrayPrototype, 'length')
export const Bytes = Uint8Array
export const viewBuffer = findGetter(DataView.prototype, 'buffer')
export const viewOffset = findGetter(DataView.prototype, 'byteOffset')
export const viewLength = findGetter(DataView.prototype, 'byteLength')

const { isNativeError } = types
export const {
  isAnyArrayBuffer,
  isBigIntObject,
  isBooleanObject,
  isBoxedPrimitive,
  isDataView,
  isDate,
  isGeneratorObject,
  isMap,
  isMapIterator,
  isNumberObject,
  isPromise,
  isRegExp,
  isSet,
  isSetIterator,
  isStringObject,
  isTypedArray,
  isWeakMap,
  isWeakSet,
} = types

export function isError(value: unknown): boolean {
  return isNativeError(value) || hasInstance(OriginalError, value)
}

export const race = Promise.race.bind(Promise) as typeof Promise.race
