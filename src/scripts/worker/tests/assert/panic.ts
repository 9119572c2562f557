import { apply, execute, isError, readSource } from '../../../../json/equal/untouched.ts'
import { isThenable } from '../../is-function.ts'
import { describeKind } from '../kind.ts'
import { findInfrastructureKind } from '../record.ts'
import { describeThrownError, showValue, showWithKind } from '../show-value.ts'
import { TestStop } from '../stop.ts'
import { type AssertVerdict, failVerdict, held, type TestAssertion } from './definition.ts'

/** An error, a text that is not empty, or an object with a message, as results have them in `error`. */
export const error: TestAssertion = {
  takes: ['the error'],
  judge: (value) =>
    isErrorLike(value)
      ? held
      : failVerdict(`expected an error, got ${showWithKind(value)}`, 'an error', value),
}

export const noError: TestAssertion = {
  takes: ['the error'],
  judge: (value) =>
    value === null || value === undefined
      ? held
      : failVerdict(`expected no error, got ${showWithKind(value)}`, null, value),
}

function isErrorLike(value: unknown): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value !== 'object' || value === null) return false
  return isError(value) || ('message' in value && typeof value.message === 'string')
}

export const panic = createThrowAssertion('Panic', {
  returned: (value) =>
    failVerdict(`expected it to throw, but it returned ${showValue(value)}`, 'a throw', value),
  threw: () => held,
})

export const noPanic = createThrowAssertion('NoPanic', {
  returned: () => held,
  threw(thrown) {
    const text = describeThrownError(thrown)
    return failVerdict(
      `expected it not to throw, but it threw ${text.replace(/^threw /, '')}`,
      'no throw',
      text,
    )
  },
})

interface Ends {
  returned(value: unknown): AssertVerdict
  threw(error: unknown): AssertVerdict
}

/** Calls a function of the user, and awaits its promise if it returns one. */
function createThrowAssertion(name: string, ends: Ends): TestAssertion {
  return {
    takes: ['a function'],
    takesPromises: true,
    judge(work) {
      if (typeof work !== 'function')
        return failVerdict(`${name} needs a function, got ${describeKind(work)}`)
      if (execute(/^class\b/, readSource(work)) !== null)
        return failVerdict(`${name} needs a function, got a class`)
      try {
        const result: unknown = apply(work, undefined, [])
        return isThenable(result) ? waitForVerdict(result, ends) : ends.returned(result)
      } catch (thrown) {
        return afterThrow(thrown, ends)
      }
    },
  }
}

async function waitForVerdict(result: PromiseLike<unknown>, ends: Ends): Promise<AssertVerdict> {
  try {
    return ends.returned(await result)
  } catch (thrown) {
    return afterThrow(thrown, ends)
  }
}

/** `t.fatal` and `t.skip` end the test, whatever they are called in. What failed outside says nothing about the code. */
function afterThrow(thrown: unknown, ends: Ends): AssertVerdict {
  if (TestStop.is(thrown)) throw thrown
  if (!isInfrastructure(thrown)) return ends.threw(thrown)
  return { reason: 'could not be judged: an infrastructure error occurred', thrown }
}

/** Endless calls between scripts are an error of the scripts, not of the infrastructure. */
function isInfrastructure(thrown: unknown): boolean {
  const kind = findInfrastructureKind(thrown)
  return kind !== undefined && kind !== 'too_deep'
}
