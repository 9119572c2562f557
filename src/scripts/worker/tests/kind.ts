import { isArray, isDate, isError, isMap, isRegExp, isSet } from '../../../json/equal/untouched.ts'
import { isThenable } from '../is-function.ts'

/** The type of a value, in the words of `t.assert.Type`. */
export type Kind = keyof typeof articles

const articles = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
  undefined: 'undefined',
  function: 'a function',
  bigint: 'a bigint',
  symbol: 'a symbol',
  date: 'a Date',
  map: 'a Map',
  set: 'a Set',
  promise: 'a promise',
  error: 'an error',
  regexp: 'a RegExp',
}

export const kindNames = Object.keys(articles)

export function valueKind(value: unknown): Kind {
  if (value === null) return 'null'
  if (typeof value === 'function') return isThenable(value) ? 'promise' : 'function'
  return typeof value === 'object' ? classifyObjectKind(value) : typeof value
}

function classifyObjectKind(value: object): Kind {
  if (isArray(value)) return 'array'
  if (isDate(value)) return 'date'
  if (isMap(value)) return 'map'
  if (isSet(value)) return 'set'
  if (isRegExp(value)) return 'regexp'
  if (isError(value)) return 'error'
  return isThenable(value) ? 'promise' : 'object'
}

/** `a string`, `an array`, `null`. It never throws, whatever the value is. */
export function describeKind(value: unknown): string {
  try {
    return articles[valueKind(value)]
  } catch {
    return 'an object that cannot be read'
  }
}
