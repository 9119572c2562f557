import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf, runTest } from '../testing.fixture.ts'

class Refused extends Error {
  override name = 'Refused'
}

const throwing = () => {
  throw new Refused('no')
}
const notAFunction = (value: unknown) => value as () => unknown

describe('Error and NoError', () => {
  it.each([
    new Error('a'),
    new TypeError(''),
    new DOMException('gone'),
    'no config',
    { code: 1, message: 'no' },
  ])('accept %s as an error', async (value) => {
    expect(await reasonOf((assert) => assert.Error(value))).toBeUndefined()
    expect(await reasonOf(({ NoError }) => NoError(value))).toContain('expected no error, got ')
  })

  it.each([null, undefined])('accept %s as no error', async (nothing) => {
    expect(await reasonOf((assert) => assert.Error(nothing))).toBe(`expected an error, got ${nothing}`)
    expect(await reasonOf(({ NoError }) => NoError(nothing))).toBeUndefined()
  })

  it.each([false, '', 0, true, {}, [], { message: 5 }])('accept %j as neither', async (value) => {
    expect(await reasonOf((assert) => assert.Error(value))).toContain('expected an error, got ')
    expect(await reasonOf(({ NoError }) => NoError(value))).toContain('expected no error, got ')
  })

  it('show the error', async () => {
    expect(await reasonOf(({ NoError }) => NoError(new Refused('no')))).toBe(
      'expected no error, got Refused: no (an error)',
    )
  })
})

describe('Panic', () => {
  it('passes when the function throws anything', async () => {
    expect(await reasonOf(({ Panic }) => Panic(throwing))).toBeUndefined()
    expect(
      await reasonOf(({ Panic }) =>
        Panic(() => {
          throw undefined
        }),
      ),
    ).toBeUndefined()
  })

  it('passes when its promise rejects', async () => {
    expect(await reasonOf(({ Panic }) => Panic(async () => throwing()))).toBeUndefined()
  })

  it('fails when it returns', async () => {
    expect(await failureOf(({ Panic }) => Panic(() => 5))).toMatchObject({
      reason: 'expected it to throw, but it returned 5',
      actual: 5,
    })
    expect(await reasonOf(({ Panic }) => Panic(async () => 5))).toBe(
      'expected it to throw, but it returned 5',
    )
  })

  it.each(['text', undefined, {}, 5])('needs a function, not %s', async (value) => {
    expect(await reasonOf(({ Panic }) => Panic(notAFunction(value)))).toContain(
      'Panic needs a function, got ',
    )
    expect(await reasonOf(({ NoPanic }) => NoPanic(notAFunction(value)))).toContain(
      'NoPanic needs a function, got ',
    )
  })

  it('refuses a promise, and a class, which would throw without new', async () => {
    expect(await reasonOf(({ Panic }) => Panic(notAFunction(Promise.resolve())))).toBe(
      'Panic needs a function, got a promise',
    )
    expect(await reasonOf(({ Panic }) => Panic(notAFunction(Refused)))).toBe(
      'Panic needs a function, got a class',
    )
  })

  it('lets the test be ended from inside', async () => {
    const after: string[] = []
    const report = await runTest((t) => {
      t.assert.Panic(() => t.skip('not today'))
      after.push('went on')
    })
    expect(report).toMatchObject({ status: 'skipped', reason: { message: 'not today' } })
    expect(after).toEqual([])
    const fatal = await runTest(async (t) => {
      await t.assert.Panic(async () => t.fatal('enough'))
      after.push('went on')
    })
    expect(fatal).toMatchObject({ status: 'failed', reason: { kind: 'failed', message: 'enough' } })
    expect(after).toEqual([])
  })
})

describe('Panic and NoPanic', () => {
  const met = (vivaInfrastructure: string) => () => {
    throw Object.assign(new Error('no sandbox'), { vivaInfrastructure })
  }

  it.each(['Panic', 'NoPanic'] as const)(
    '%s cannot be judged when an infrastructure error was thrown',
    async (name) => {
      for (const work of [met('stub'), async () => met('connection')()]) {
        const report = await runTest(async ({ assert }) => void (await assert[name](work)))
        expect(report).toMatchObject({
          status: 'failed',
          reason: { kind: 'threw', message: 'no sandbox', infrastructure: expect.any(String) },
          failures: [{ type: name, reason: 'could not be judged: an infrastructure error occurred' }],
        })
      }
    },
  )

  it('treat endless calls between scripts as an error of the scripts', async () => {
    expect(await reasonOf(({ Panic }) => Panic(met('too_deep')))).toBeUndefined()
    expect(await reasonOf(({ NoPanic }) => NoPanic(met('too_deep')))).toContain('expected it not to throw')
  })
})

describe('NoPanic', () => {
  it('passes when the function returns or its promise resolves', async () => {
    expect(await reasonOf(({ NoPanic }) => NoPanic(() => 5))).toBeUndefined()
    expect(await reasonOf(({ NoPanic }) => NoPanic(async () => 5))).toBeUndefined()
  })

  it('shows what was thrown', async () => {
    const reason = 'expected it not to throw, but it threw Refused: no'
    expect(await failureOf(({ NoPanic }) => NoPanic(throwing))).toMatchObject({
      reason,
      actual: 'Refused: no',
    })
    expect(await reasonOf(({ NoPanic }) => NoPanic(async () => throwing()))).toBe(reason)
    expect(await reasonOf(({ NoPanic }) => NoPanic(() => Promise.reject('a')))).toBe(
      'expected it not to throw, but it threw "a"',
    )
  })
})
