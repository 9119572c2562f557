import { isDate, readTime } from '../../../../json/equal/untouched.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { failVerdict, held, type TestAssertion } from './definition.ts'

export const greater = createOrderAssertion('greater than', (order) => order > 0)
export const greaterOrEqual = createOrderAssertion('greater than or equal to', (order) => order >= 0)
export const less = createOrderAssertion('less than', (order) => order < 0)
export const lessOrEqual = createOrderAssertion('less than or equal to', (order) => order <= 0)

function createOrderAssertion(words: string, holds: (order: number) => boolean): TestAssertion {
  return {
    takes: ['the first value', 'the second value'],
    judge(left, right) {
      const order = compareValues(left, right)
      if (order === undefined) {
        const both = `${showWithKind(left)} and ${showWithKind(right)}`
        return failVerdict(
          `${both} cannot be compared: both must be numbers, strings, bigints or Dates`,
          right,
          left,
        )
      }
      if (holds(order)) return held
      const expectation = `${words} ${showValue(right)}`
      return failVerdict(`${showValue(left)} is not ${expectation}`, expectation, left)
    },
  }
}

/** Negative, zero or positive; undefined when the values cannot be ordered or have different types. */
function compareValues(left: unknown, right: unknown): number | undefined {
  if (isDate(left) && isDate(right)) return compareValues(readTime(left), readTime(right))
  if (typeof left !== typeof right || !isOrdered(left) || !isOrdered(right)) return undefined
  if (left < right) return -1
  if (left > right) return 1
  // With NaN, none of the three comparisons is true.
  return left === right ? 0 : undefined
}

function isOrdered(value: unknown): value is number | bigint | string {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
}
