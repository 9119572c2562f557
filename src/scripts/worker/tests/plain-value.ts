import { createObject, isArray, keysOf, stringify } from '../../../json/equal/untouched.ts'
import { shorten } from '../../../text/shorten.ts'
import { leafText, readMember, unshowable } from './show-value.ts'

const maxJsonLength = 20_000
const maxCopyDepth = 50
/** A value takes at least two characters of JSON, so more values would be too long anyway. */
const maxValues = maxJsonLength / 2

/** Copies a value as JSON data: other values become text, and a long value becomes the start of its JSON. */
export function toPlainValue(value: unknown): unknown {
  try {
    if (typeof value === 'string') return shorten(value, maxJsonLength)
    const copy = copyValue(value, [], { left: maxValues })
    const json = stringify(copy)
    return json.length > maxJsonLength ? shorten(json, maxJsonLength) : copy
  } catch {
    return unshowable
  }
}

interface Budget {
  left: number
}

function copyValue(value: unknown, ancestors: object[], budget: Budget): unknown {
  budget.left -= 1
  if (typeof value === 'string') return shorten(value, maxJsonLength)
  const leaf = leafText(value)
  if (leaf !== undefined) return shorten(leaf, maxJsonLength)
  if (typeof value !== 'object' || value === null) return value
  if (ancestors.includes(value)) return '[Circular]'
  if (ancestors.length === maxCopyDepth) return isArray(value) ? '[…]' : '{…}'
  const inside = [...ancestors, value]
  return isArray(value) ? copyList(value, inside, budget) : copyObject(value, inside, budget)
}

function copyList(list: readonly unknown[], ancestors: object[], budget: Budget): unknown[] {
  const copy: unknown[] = []
  for (let index = 0; index < list.length && budget.left > 0; index++) {
    copy.push(copyValue(readMember(list, String(index)), ancestors, budget))
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
    copy[key] = copyValue(readMember(value, key), ancestors, budget)
  }
  return copy
}
