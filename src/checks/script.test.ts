import { describe, expect, it } from 'vitest'
import { type CheckHelpers, noCheckHelpers } from './check-helpers.ts'
import { judge, validationProblems } from './conversation.fixture.ts'

/** A script that returns this value, or the result of this function. */
function saying(said: unknown, given: unknown[] = []): CheckHelpers {
  return {
    ...noCheckHelpers,
    expected: 'what the case expects',
    async callScript(reference, args, _scope, options) {
      given.push(reference, ...args('ctx'), options)
      if (said instanceof Error) throw said
      return said
    },
  }
}

const ask = (said: unknown, assertion: object = { script: 'scripts.tests.Check' }) =>
  judge({ type: 'script', ...assertion }, { output: 'It is done' }, { helpers: saying(said) })

describe('script', () => {
  it.each([
    [true, 'passed', 'scripts.tests.Check says yes'],
    [false, 'failed', 'scripts.tests.Check says no'],
    [{ pass: true, message: 'fine' }, 'passed', 'fine'],
    [{ pass: false, message: 'not fine' }, 'failed', 'not fine'],
    [{ passed: false, reason: 'bad', score: 0.2 }, 'failed', 'bad'],
  ])('reads %j as a verdict', async (said, status, reason) => {
    expect(await ask(said)).toMatchObject({ status, reason })
  })

  it.each([[undefined], [null], [1], ['yes'], [[]], [{}], [{ pass: 'true' }], [{ message: 'fine' }]])(
    'is an error for %j, also when negated',
    async (said) => {
      for (const negate of [false, true])
        expect(await ask(said, { script: 's', negate })).toMatchObject({ status: 'error' })
    },
  )

  it('is an error if the script throws', async () => {
    expect(await ask(new Error('broken'))).toMatchObject({
      status: 'error',
      reason: 'could not be judged: broken',
    })
  })

  it('passes output, input, value or expected, ctx and options to the script', async () => {
    const given: unknown[] = []
    const options = { skip: { history: true }, mode: 'strict', search: false, metadata: { min: 1 } }
    const written = { type: 'script', use: 'scripts:a', options }
    await judge(written, { output: 'out' }, { helpers: saying(true, given) })
    await judge({ ...written, value: 7 }, { output: 'out' }, { helpers: saying(true, given) })
    const [first, second] = [given.slice(0, 6), given.slice(6)]
    expect(first).toEqual(['scripts:a', 'out', expect.anything(), 'what the case expects', 'ctx', options])
    expect(second[3]).toBe(7)
  })

  it('requires exactly one script', () => {
    expect(validationProblems({ type: 'script' })).toEqual([
      expect.stringContaining('needs a "script" or a "use"'),
    ])
    expect(validationProblems({ type: 'script', script: 'a', use: 'b' })).toHaveLength(1)
  })
})
