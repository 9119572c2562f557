import { isDeepStrictEqual } from 'node:util'

/**
 * Whether two values are the same to a reader. Fields that are undefined are none. Objects of a class are compared by their
 * fields; one that shows none cannot be compared, and then nobody says that it is the same.
 */
export function sameValue(left: unknown, right: unknown): boolean {
  return isSame(left, right, new Map())
}

/** `open` are those that are being compared: values that hold themselves are the same where nothing else differs. */
function isSame(left: unknown, right: unknown, open: Map<object, Set<object>>): boolean {
  if (Object.is(left, right) || left === right) return true
  if (!isObject(left) || !isObject(right)) return false
  const compared = open.get(left) ?? new Set()
  if (compared.has(right)) return true
  open.set(left, compared.add(right))
  if (Array.isArray(left) || Array.isArray(right)) return sameList(left, right, open)
  if (hasFields(left) || hasFields(right))
    return !isBuiltIn(left) && !isBuiltIn(right) && sameFields(left, right, open)
  if (isBuiltIn(left) || isBuiltIn(right)) return isDeepStrictEqual(left, right)
  if (isPlain(left) && isPlain(right)) return true
  if (!sameClass(left, right)) return false
  const told = [left, right].map(ownJson)
  if (told.every((json) => json !== undefined)) return isDeepStrictEqual(told[0], told[1])
  throw new Error(`values of ${left.constructor?.name ?? 'a class'} cannot be compared: they show no fields`)
}

const builtIns = [Map, Set, RegExp, Date, Error, ArrayBuffer, Number, String, Boolean, BigInt]

function isBuiltIn(value: object): boolean {
  return ArrayBuffer.isView(value) || builtIns.some((type) => value instanceof type)
}

function sameList(left: object, right: object, open: Map<object, Set<object>>): boolean {
  if (!Array.isArray(left) || !Array.isArray(right)) return false
  return left.length === right.length && left.every((item, index) => isSame(item, right[index], open))
}

function sameFields(left: object, right: object, open: Map<object, Set<object>>): boolean {
  const fields = fieldsOf(left)
  const others = new Map(fieldsOf(right))
  return (
    fields.length === others.size &&
    fields.every(([name, value]) => others.has(name) && isSame(value, others.get(name), open))
  )
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined)
}

function hasFields(value: object): boolean {
  return !isBuiltIn(value) && fieldsOf(value).length > 0
}

/** Dates, addresses and the like say themselves what they are. */
function ownJson(value: object): unknown {
  const { toJSON } = value as { toJSON?: unknown }
  return typeof toJSON === 'function' ? toJSON.call(value) : undefined
}

function sameClass(left: object, right: object): boolean {
  return Object.getPrototypeOf(left) === Object.getPrototypeOf(right)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
