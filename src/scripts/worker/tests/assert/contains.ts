import { areEqual } from '../../../../json/equal/find-difference.ts'
import { includes, isArray } from '../../../../json/equal/untouched.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { type FailedVerdict, failVerdict, held, type TestAssertion } from './definition.ts'

const takes = ['the text or list', 'what to look for']

export const contains: TestAssertion = {
  takes,
  judge(value, part) {
    const found = search('Contains', value, part)
    if (typeof found !== 'boolean') return found
    return found ? held : failVerdict(`${showValue(value)} does not contain ${showValue(part)}`, part, value)
  },
}

export const notContains: TestAssertion = {
  takes,
  judge(value, part) {
    const found = search('NotContains', value, part)
    if (typeof found !== 'boolean') return found
    if (!found) return held
    return failVerdict(
      `${showValue(value)} contains ${showValue(part)}`,
      `no ${showValue(part)} in it`,
      value,
    )
  },
}

/** Text in text, or an equal item in a list; for other values, both assertions fail. */
function search(name: string, value: unknown, part: unknown): boolean | FailedVerdict {
  if (isArray(value)) return hasItem(value, part)
  if (typeof value !== 'string') {
    return failVerdict(`${name} looks in a string or an array, got ${showWithKind(value)}`, part, value)
  }
  if (typeof part === 'string') return includes(value, part)
  return failVerdict(`${name} looks for a string in a string, got ${showWithKind(part)}`, part, value)
}

function hasItem(list: readonly unknown[], part: unknown): boolean {
  for (let index = 0; index < list.length; index++) if (areEqual(list[index], part)) return true
  return false
}
