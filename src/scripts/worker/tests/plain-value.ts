import { createObject, isArray, keysOf, stringify } from '../../../json/equal/untouched.ts'
import { shorten } from '../../../text/shorten.ts'
import { leafText, readMember, unshowable } from './show-value.ts'

const longestJson = 20_000
const deepestCopy = 50
/** A value takes at least two characters of JSON, so more values would be too long anyway. */
const mostValues = longestJson / 2

/** Copies a value as JSON data: other values become text, and a long value becomes the start of its JSON. */
export function plainValue(value: unknown): unknown {
  try {
    if (typeof value === 'string') return shorten(value, longestJson)
    const copy = copyOf(value, [], { left: mostValues })
    const json = stringify(copy)
    return json.length > longestJson ? shorten(json, longestJson) : copy
  } catch {
    return unshowable
  }
}

interface Budget {
  left: number
}

function copyOf(value: unknown, ancestors: object[], budget: Budget): unknown {
  budget.left -= 1
  if (typeof value === 'string') return shorten(value, longestJson)
  const leaf = leafText(value)
  if (leaf !== undefined) return shorten(leaf, longestJson)
  if (typeof value !== 'object' || value === null) return value
  if (ancestors.includes(value)) return '[Circular]'
  if (ancestors.length === deepestCopy) return isArray(value) ? '[…]' : '{…}'
  const inside = [...ancestors, value]
  return isArray(value) ? copyList(value, inside, budget) : copyObject(value, inside, budget)
}

function copyList(list: readonly unknown[], ancestors: object[], budget: Budget): unknown[] {
  const copy: unknown[] = []
  for (let index = 0; index < list.length && budget.left > 0; index++) {
    copy.push(copyOf(readMember(list, String(index)), ancestors, budget))
  }
  if (copy.length < list.length) copy.push('…')
  return copy
}

function copyObject(value: object, ancestors: object[], budget: Budget): unknown {
  // Without a prototype, so that a key named `__proto__` is plain data.
  const copy: Record<string, unknown> = createObject(null)
  for (const key of keysOf(value)) {
    if (budget.left <= 0) {
      copy['…'] = '…'
      break
    }
    copy[key] = copyOf(readMember(value, key), ancestors, budget)
  }
  return copy
}
