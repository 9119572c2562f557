/**
 * Data as it is now: what somebody does to it later changes nothing here. Lists, plain objects, maps, sets and dates are
 * copied; objects of a class stay what they are, since nobody else knows how to make another one.
 */
export function snapshot<T>(value: T): T {
  return copy(value, new Map()) as T
}

function copy(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (copies.has(value)) return copies.get(value)
  const keep = <Copy extends object>(made: Copy): Copy => {
    copies.set(value, made)
    return made
  }
  if (Array.isArray(value)) {
    const list: unknown[] = keep([])
    for (const item of value) list.push(copy(item, copies))
    return list
  }
  if (value instanceof Date) return keep(new Date(value))
  if (value instanceof Map) {
    const map = keep(new Map())
    for (const [key, item] of value) map.set(copy(key, copies), copy(item, copies))
    return map
  }
  if (value instanceof Set) {
    const set = keep(new Set())
    for (const item of value) set.add(copy(item, copies))
    return set
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return value
  const object = keep(Object.create(prototype as object | null) as Record<string, unknown>)
  // By definition: a field of the name `__proto__` is a field.
  for (const [name, item] of Object.entries(value))
    Object.defineProperty(object, name, {
      value: copy(item, copies),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  return object
}
