import {
  hasOwn,
  isAnyArrayBuffer,
  isArray,
  isBoxedPrimitive,
  isDataView,
  isDate,
  isError,
  isGeneratorObject,
  isMap,
  isMapIterator,
  isPromise,
  isRegExp,
  isSet,
  isSetIterator,
  isTypedArray,
  isWeakMap,
  isWeakSet,
  plainPrototype,
  prototypeOf,
} from './untouched.ts'

/** How the data of an object can be read; that of an `opaque` one cannot. */
export type Brand =
  | 'object'
  | 'array'
  | 'map'
  | 'set'
  | 'date'
  | 'regexp'
  | 'error'
  | 'boxed'
  | 'typed array'
  | 'bytes'
  | 'opaque'

export function readBrand(value: object): Brand {
  if (typeof value === 'function') return 'opaque'
  if (isArray(value)) return 'array'
  if (isPlain(value)) return 'object'
  if (isMap(value)) return 'map'
  if (isSet(value)) return 'set'
  if (isDate(value)) return 'date'
  if (isRegExp(value)) return 'regexp'
  if (isError(value)) return 'error'
  if (isBoxedPrimitive(value)) return 'boxed'
  if (isTypedArray(value)) return 'typed array'
  if (isAnyArrayBuffer(value) || isDataView(value)) return 'bytes'
  return isOpaque(value) ? 'opaque' : 'object'
}

/** Whether it was created by `{}`, by JSON, or without a prototype, even in another realm. */
export function isPlain(value: object): boolean {
  const prototype: object | null = prototypeOf(value)
  if (prototype === null || prototype === plainPrototype) return true
  return prototypeOf(prototype) === null && hasOwn(prototype, 'hasOwnProperty')
}

function isOpaque(value: object): boolean {
  if (isPromise(value) || isWeakMap(value) || isWeakSet(value)) return true
  return isGeneratorObject(value) || isMapIterator(value) || isSetIterator(value)
}
