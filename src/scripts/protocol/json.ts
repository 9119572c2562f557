import { stringify } from '../../json/equal/untouched.ts'
import { deepestData } from '../../json/json.ts'

const maxMegabytes = 64

/** A value that cannot cross between processes. The message names its path: `items[2].total is a BigInt: …`. */
export class NotJsonError extends TypeError {
  override readonly name = 'NotJsonError'
}

interface JsonRules {
  /** The name of the whole value: `the reply`. */
  whole: string
  /** The requirement: `an agent must answer with plain JSON data`. */
  rule: string
}

/**
 * Like `JSON.stringify`, but values that JSON would silently drop or empty (functions, symbols, maps, promises) are errors
 * that name their path. `undefined` stays `undefined`.
 */
export function toJson(value: unknown, rules: JsonRules): string | undefined {
  const json = stringify(plainCopy(value, rules))
  if (json !== undefined && Buffer.byteLength(json) > maxMegabytes * 1024 * 1024) {
    throw new NotJsonError(`${rules.whole} is larger than ${maxMegabytes} MB of JSON`)
  }
  return json
}

/** Copies instead of only checking: getters and `toJSON` are user code and must run once. */
function plainCopy(whole: unknown, rules: JsonRules): unknown {
  const keys: (string | number)[] = []
  const ancestors: object[] = []

  function complaint(what: string): NotJsonError {
    return new NotJsonError(`${formatPath(keys) || rules.whole} ${what}: ${rules.rule}`)
  }

  function copyItem(key: string | number, item: unknown): unknown {
    keys.push(key)
    const copied = copy(hasToJson(item) ? item.toJSON(String(key)) : item)
    keys.pop()
    return copied
  }

  function copy(value: unknown): unknown {
    if (typeof value === 'bigint') throw complaint('is a BigInt')
    if (typeof value === 'symbol') throw complaint('is a symbol')
    if (typeof value === 'number' && !Number.isFinite(value)) throw complaint(`is ${value}`)
    if (typeof value === 'function') throw complaint(isClass(value) ? 'is a class' : 'is a function')
    if (typeof value !== 'object' || value === null) return value
    if (ancestors.includes(value)) throw complaint('contains itself')
    if (ancestors.length === deepestData) throw complaint(`is nested more than ${deepestData} levels deep`)
    ancestors.push(value)
    const copied = Array.isArray(value)
      ? value.map((item, index) => copyItem(index, item))
      : copyObject(value)
    ancestors.pop()
    return copied
  }

  function copyObject(value: object): unknown {
    if (isOpaque(value)) throw complaint(`is a ${value.constructor?.name || 'stream'}`)
    // Without a prototype, so that a key named `__proto__` is plain data.
    const copied: Record<string, unknown> = Object.create(null)
    for (const [key, item] of Object.entries(value)) copied[key] = copyItem(key, item)
    return copied
  }

  return copy(hasToJson(whole) ? whole.toJSON('') : whole)
}

function hasToJson(value: unknown): value is { toJSON(key: string): unknown } {
  if (value === null || (typeof value !== 'object' && typeof value !== 'bigint')) return false
  return typeof Object(value).toJSON === 'function'
}

/** Maps, sets, streams, generators and promises: JSON would turn them into `{}`. */
function isOpaque(value: object): boolean {
  if (Symbol.iterator in value || Symbol.asyncIterator in value) return true
  return 'then' in value && typeof value.then === 'function'
}

export function isClass(value: unknown): boolean {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))
}

/** `agents[0].name`, `headers["x-user"]`. */
function formatPath(keys: (string | number)[]): string {
  const parts = keys.map((key) => {
    if (typeof key === 'number') return `[${key}]`
    return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  })
  return parts.join('').replace(/^\./, '')
}
