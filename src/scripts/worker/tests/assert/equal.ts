import { areEqual, findDifference } from '../../../../json/equal/find-difference.ts'
import { describeDifference } from '../describe-difference.ts'
import { showValue } from '../show-value.ts'
import { failVerdict, held, type TestAssertion } from './definition.ts'

const takes = ['the actual value', 'the expected value']

export const equal: TestAssertion = {
  takes,
  judge(actual, expected) {
    const difference = findDifference(actual, expected)
    return difference === undefined ? held : failVerdict(describeDifference(difference), expected, actual)
  },
}

export const notEqual: TestAssertion = {
  takes,
  judge(actual, expected) {
    if (!areEqual(actual, expected)) return held
    const anythingElse = `anything but ${showValue(expected)}`
    return failVerdict(`expected ${anythingElse}`, anythingElse, actual)
  },
}
