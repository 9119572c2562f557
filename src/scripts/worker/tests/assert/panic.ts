import { apply, execute, isError, sourceOf } from '../../../../json/equal/untouched.ts'
import { isThenable } from '../../is-function.ts'
import { kindWords } from '../kind.ts'
import { infrastructureKindOf } from '../record.ts'
import { errorText, showValue, showWithKind } from '../show-value.ts'
import { TestStop } from '../stop.ts'
import { type AssertVerdict, broken, type Definition, held } from './definition.ts'

/** An error, a text that is not empty, or an object with a message, as results have them in `error`. */
export const error: Definition = {
  takes: ['the error'],
  judge: (value) =>
    isErrorLike(value) ? held : broken(`expected an error, got ${showWithKind(value)}`, 'an error', value),
}

export const noError: Definition = {
  takes: ['the error'],
  judge: (value) =>
    value === null || value === undefined
      ? held
      : broken(`expected no error, got ${showWithKind(value)}`, null, value),
}

function isErrorLike(value: unknown): boolean {
  if (typeof value === 'string') return value !== ''
  if (typeof value !== 'object' || value === null) return false
  return isError(value) || ('message' in value && typeof value.message === 'string')
}

export const panic = throwing('Panic', {
  returned: (value) => broken(`expected it to throw, but it returned ${showValue(value)}`, 'a throw', value),
  threw: () => held,
})

export const noPanic = throwing('NoPanic', {
  returned: () => held,
  threw(thrown) {
    const text = errorText(thrown)
    return broken(`expected it not to throw, but it threw ${text.replace(/^threw /, '')}`, 'no throw', text)
  },
})

interface Ends {
  returned(value: unknown): AssertVerdict
  threw(error: unknown): AssertVerdict
}

/** Calls a function of the user, and awaits its promise if it returns one. */
function throwing(name: string, ends: Ends): Definition {
  return {
    takes: ['a function'],
    takesPromises: true,
    judge(work) {
      if (typeof work !== 'function') return broken(`${name} needs a function, got ${kindWords(work)}`)
      if (execute(/^class\b/, sourceOf(work)) !== null) return broken(`${name} needs a function, got a class`)
      try {
        const result: unknown = apply(work, undefined, [])
        return isThenable(result) ? settled(result, ends) : ends.returned(result)
      } catch (thrown) {
        return afterThrow(thrown, ends)
      }
    },
  }
}

async function settled(result: PromiseLike<unknown>, ends: Ends): Promise<AssertVerdict> {
  try {
    return ends.returned(await result)
  } catch (thrown) {
    return afterThrow(thrown, ends)
  }
}

/** `t.fatal` and `t.skip` end the test, whatever they are called in. What failed outside says nothing about the code. */
function afterThrow(thrown: unknown, ends: Ends): AssertVerdict {
  if (TestStop.is(thrown)) throw thrown
  if (!isOutside(thrown)) return ends.threw(thrown)
  return { reason: 'could not be judged: an infrastructure error occurred', thrown }
}

/** Endless calls between scripts are an error of the scripts, not of the infrastructure. */
function isOutside(thrown: unknown): boolean {
  const kind = infrastructureKindOf(thrown)
  return kind !== undefined && kind !== 'too_deep'
}
