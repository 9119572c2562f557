import { showValue, showWithKind } from '../show-value.ts'
import { failVerdict, held, type TestAssertion } from './definition.ts'

const takes = ['the value']

/** Exactly `true`: a text or a number instead is a mistake in the tested code, or in the test. */
export const isTrue = exactly(true)

export const isFalse = exactly(false)

function exactly(expected: boolean): TestAssertion {
  return {
    takes,
    judge: (value) =>
      value === expected
        ? held
        : failVerdict(`expected ${expected}, got ${showWithKind(value)}`, expected, value),
  }
}

export const nil: TestAssertion = {
  takes,
  judge: (value) =>
    value === null || value === undefined
      ? held
      : failVerdict(`expected null or undefined, got ${showValue(value)}`, null, value),
}

export const notNil: TestAssertion = {
  takes,
  judge: (value) =>
    value === null || value === undefined
      ? failVerdict(`expected a value, got ${value}`, 'a value', value)
      : held,
}
