import { showValue, showWithKind } from '../show-value.ts'
import { broken, type Definition, held } from './definition.ts'

const takes = ['the value']

/** Exactly `true`: a text or a number instead is a mistake in the tested code, or in the test. */
export const isTrue = exactly(true)

export const isFalse = exactly(false)

function exactly(expected: boolean): Definition {
  return {
    takes,
    judge: (value) =>
      value === expected ? held : broken(`expected ${expected}, got ${showWithKind(value)}`, expected, value),
  }
}

export const nil: Definition = {
  takes,
  judge: (value) =>
    value === null || value === undefined
      ? held
      : broken(`expected null or undefined, got ${showValue(value)}`, null, value),
}

export const notNil: Definition = {
  takes,
  judge: (value) =>
    value === null || value === undefined ? broken(`expected a value, got ${value}`, 'a value', value) : held,
}
