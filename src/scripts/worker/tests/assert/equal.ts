import { areEqual, findDifference } from '../../../../json/equal/find-difference.ts'
import { describeDifference } from '../describe-difference.ts'
import { showValue } from '../show-value.ts'
import { broken, type Definition, held } from './definition.ts'

const takes = ['the actual value', 'the expected value']

export const equal: Definition = {
  takes,
  judge(actual, expected) {
    const difference = findDifference(actual, expected)
    return difference === undefined ? held : broken(describeDifference(difference), expected, actual)
  },
}

export const notEqual: Definition = {
  takes,
  judge(actual, expected) {
    if (!areEqual(actual, expected)) return held
    const anythingElse = `anything but ${showValue(expected)}`
    return broken(`expected ${anythingElse}`, anythingElse, actual)
  },
}
