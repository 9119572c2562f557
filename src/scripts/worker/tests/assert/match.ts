import { execute, isRegExp, OriginalRegExp } from '../../../../json/equal/untouched.ts'
import { compilePattern } from '../../../../text/pattern.ts'
import { shorten } from '../../../../text/shorten.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { type FailedVerdict, failVerdict, held, type TestAssertion } from './definition.ts'

const takes = ['the text', 'the pattern']

export const match: TestAssertion = {
  takes,
  judge(value, pattern) {
    const found = search('Match', value, pattern)
    if (typeof found !== 'boolean') return found
    const shown = showPattern(pattern)
    return found ? held : failVerdict(`${showValue(value)} does not match ${shown}`, shown, value)
  },
}

export const notMatch: TestAssertion = {
  takes,
  judge(value, pattern) {
    const found = search('NotMatch', value, pattern)
    if (typeof found !== 'boolean') return found
    const shown = showPattern(pattern)
    return found ? failVerdict(`${showValue(value)} matches ${shown}`, `no match of ${shown}`, value) : held
  },
}

/** A string is a pattern in Go's syntax, as everywhere else in viva; a RegExp is JavaScript's. */
function search(name: string, value: unknown, pattern: unknown): boolean | FailedVerdict {
  if (typeof pattern !== 'string' && !isRegExp(pattern)) {
    return failVerdict(`${name} needs a pattern that is a string or a RegExp, got ${showWithKind(pattern)}`)
  }
  if (typeof value !== 'string') {
    return failVerdict(`${name} looks in a string, got ${showWithKind(value)}`, showPattern(pattern), value)
  }
  // A copy: with the flags `g` and `y`, a RegExp continues where it stopped the last time.
  if (typeof pattern !== 'string') return execute(new OriginalRegExp(pattern), value) !== null
  return compilePattern(pattern).test(value)
}

function showPattern(pattern: unknown): string {
  return isRegExp(pattern) ? showValue(pattern) : `/${shorten(String(pattern), 80)}/`
}
