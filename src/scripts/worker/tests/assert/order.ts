import { isDate, timeOf } from '../../../../json/equal/untouched.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { broken, type Definition, held } from './definition.ts'

export const greater = ordered('greater than', (order) => order > 0)
export const greaterOrEqual = ordered('greater than or equal to', (order) => order >= 0)
export const less = ordered('less than', (order) => order < 0)
export const lessOrEqual = ordered('less than or equal to', (order) => order <= 0)

function ordered(words: string, holds: (order: number) => boolean): Definition {
  return {
    takes: ['the first value', 'the second value'],
    judge(left, right) {
      const order = orderOf(left, right)
      if (order === undefined) {
        const both = `${showWithKind(left)} and ${showWithKind(right)}`
        return broken(
          `${both} cannot be compared: both must be numbers, strings, bigints or Dates`,
          right,
          left,
        )
      }
      if (holds(order)) return held
      const expectation = `${words} ${showValue(right)}`
      return broken(`${showValue(left)} is not ${expectation}`, expectation, left)
    },
  }
}

/** Negative, zero or positive; undefined when the values cannot be ordered or have different types. */
function orderOf(left: unknown, right: unknown): number | undefined {
  if (isDate(left) && isDate(right)) return orderOf(timeOf(left), timeOf(right))
  if (typeof left !== typeof right || !isOrdered(left) || !isOrdered(right)) return undefined
  if (left < right) return -1
  if (left > right) return 1
  // With NaN, none of the three comparisons is true.
  return left === right ? 0 : undefined
}

function isOrdered(value: unknown): value is number | bigint | string {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string'
}
