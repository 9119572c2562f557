import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { TestObject } from '../../protocol/testing.ts'
import { createTest } from './create-test.ts'
import { runTest } from './testing.fixture.ts'

describe('a test', () => {
  it('passes when nothing failed', async () => {
    const report = await runTest(({ assert }) => {
      assert.True(true)
      assert.Equal([1], [1])
    })
    expect(report).toEqual({
      status: 'passed',
      failures: [],
      assertions: 2,
      subtests: [],
      durationMs: expect.any(Number),
    })
  })

  it('continues after a failed assertion, and the first one is the headline', async () => {
    const answers: unknown[] = []
    const report = await runTest((t) => {
      answers.push(t.failed)
      answers.push(t.assert.Equal(2, 1, 'Result ID should match'))
      answers.push(t.failed)
      answers.push(t.assert.Nil(5))
    })
    expect(answers).toEqual([false, false, true, false])
    expect(report.reason).toEqual({ kind: 'assertion', message: 'assertion failed: Result ID should match' })
    expect(report.failures.map(({ reason }) => reason)).toEqual([
      'expected 1, got 2',
      'expected null or undefined, got 5',
    ])
    expect(report).toMatchObject({ status: 'failed', assertions: 2 })
  })

  it('shows the reason when the author wrote no message', async () => {
    const { reason } = await runTest(({ assert }) => assert.Equal(2, 1))
    expect(reason?.message).toBe('assertion failed: expected 1, got 2')
  })

  it('keeps the first hundred failures, and counts all assertions', async () => {
    const report = await runTest(({ assert }) => {
      for (let count = 0; count < 250; count++) assert.Equal(count, -1)
    })
    expect(report.failures).toHaveLength(100)
    expect(report.assertions).toBe(250)
  })

  it('fails when it throws, or its promise rejects', async () => {
    const reason = { kind: 'threw', message: 'RangeError: too much' }
    const sync = await runTest(() => {
      throw new RangeError('too much')
    })
    expect(sync).toMatchObject({ status: 'failed', reason })
    const async = await runTest(async () => {
      await wait(1)
      throw new RangeError('too much')
    })
    expect(async).toMatchObject({ status: 'failed', reason })
  })

  it('fails when anything other than an error is thrown', async () => {
    for (const thrown of [undefined, null, 'text', 0, false, { message: 'plain' }, Object.create(null)]) {
      const report = await runTest(() => {
        throw thrown
      })
      expect(report).toMatchObject({ status: 'failed', reason: { kind: 'threw' } })
    }
  })

  it('keeps a failed assertion before the throw as the headline', async () => {
    const report = await runTest(({ assert }) => {
      assert.NotNil(undefined, 'no result')
      throw new Error('later')
    })
    expect(report.reason).toEqual({ kind: 'assertion', message: 'assertion failed: no result' })
  })

  it('reports the kind of an infrastructure error', async () => {
    const throwing = () => {
      throw Object.assign(new Error('busy'), { vivaInfrastructure: 'rate_limit' })
    }
    expect((await runTest(throwing)).reason).toEqual({
      kind: 'threw',
      message: 'busy',
      infrastructure: 'rate_limit',
    })
    const after = await runTest((t) => {
      t.fail('first')
      throwing()
    })
    expect(after.reason).toEqual({ kind: 'failed', message: 'first' })
  })

  it('has methods that work without this', async () => {
    const report = await runTest(({ assert, fail, name }) => {
      const { Equal } = assert
      Equal(name, 'TestIt')
      fail('enough')
    })
    expect(report).toMatchObject({ assertions: 1, reason: { message: 'enough' } })
  })

  it('runs at once when it awaits nothing', () => {
    const steps: string[] = []
    const { t, run } = createTest('TestSync', {
      print() {},
      mock() {},
      validate: () => ({ passed: true, reason: '' }),
    })
    void run({
      beforeEach: () => steps.push('before'),
      test() {
        t.cleanup(() => steps.push('cleanup'))
        t.run('inner', () => steps.push('inner'))
        steps.push('test')
      },
      afterEach: () => steps.push('after'),
    })
    expect(steps).toEqual(['before', 'inner', 'test', 'after', 'cleanup'])
  })
})

describe('fail, error, fatal, skip', () => {
  it('fail marks the test as failed, and the test continues', async () => {
    const steps: string[] = []
    const report = await runTest((t) => {
      t.fail('because')
      steps.push('went on')
    })
    expect(report).toMatchObject({
      status: 'failed',
      failures: [],
      reason: { kind: 'failed', message: 'because' },
    })
    expect(steps).toEqual(['went on'])
  })

  it('need no reason', async () => {
    expect((await runTest((t) => t.fail())).reason?.message).toBe('t.fail() was called')
    expect((await runTest((t) => t.fatal())).reason?.message).toBe('t.fatal() was called')
    expect((await runTest((t) => t.error())).reason?.message).toBe('t.error() was called')
    expect((await runTest((t) => t.skip())).reason?.message).toBe('no reason given')
  })

  it('accept errors and format strings with values', async () => {
    expect((await runTest((t) => t.fatal(new TypeError('no')))).reason?.message).toBe('TypeError: no')
    expect((await runTest((t) => t.fail('%s of %d', 'one', 2))).reason?.message).toBe('one of 2')
  })

  it('error logs and fails', async () => {
    const lines: string[] = []
    const report = await runTest((t) => t.error('bad', { a: 1 }), {
      bridge: { print: (line) => lines.push(line) },
    })
    expect(lines).toEqual(['error: bad { a: 1 }'])
    expect(report).toMatchObject({ status: 'failed', reason: { kind: 'failed', message: 'bad { a: 1 }' } })
  })

  it('log only logs, as the console would', async () => {
    const lines: string[] = []
    const report = await runTest((t) => t.log('%i items', 2, [undefined]), {
      bridge: { print: (line) => lines.push(line) },
    })
    expect(lines).toEqual(['2 items [ undefined ]'])
    expect(report.status).toBe('passed')
  })

  it('fatal ends the test', async () => {
    const steps: string[] = []
    const report = await runTest(async (t) => {
      await wait(1)
      t.fatal('enough')
      steps.push('went on')
    })
    expect(report).toMatchObject({ status: 'failed', reason: { kind: 'failed', message: 'enough' } })
    expect(steps).toEqual([])
  })

  it('skip ends the test', async () => {
    const steps: string[] = []
    const report = await runTest((t) => {
      t.skip('no database')
      steps.push('went on')
    })
    expect(report).toMatchObject({ status: 'skipped', reason: { kind: 'skipped', message: 'no database' } })
    expect(steps).toEqual([])
  })

  it('skip does not undo a failure', async () => {
    const before = await runTest((t) => {
      t.assert.True(false)
      t.skip()
    })
    expect(before).toMatchObject({ status: 'failed', reason: { kind: 'assertion' } })
    const after = await runTest((t) => {
      try {
        t.skip()
      } catch {}
      t.assert.True(false)
    })
    expect(after).toMatchObject({ status: 'failed', reason: { kind: 'assertion' } })
  })

  it('have their effect even when what they throw is caught', async () => {
    const caught = (call: (t: TestObject) => void) =>
      runTest((t) => {
        try {
          call(t)
        } catch {}
      })
    expect(await caught((t) => t.fatal('enough'))).toMatchObject({
      status: 'failed',
      reason: { message: 'enough' },
    })
    expect(await caught((t) => t.skip('later'))).toMatchObject({
      status: 'skipped',
      reason: { message: 'later' },
    })
  })
})

describe('BeforeEach and AfterEach', () => {
  it('run around the test, each to its end', async () => {
    const steps: string[] = []
    const step = (name: string) => async () => {
      await wait(1)
      steps.push(name)
    }
    await runTest(step('test'), { beforeEach: step('before'), afterEach: step('after') })
    expect(steps).toEqual(['before', 'test', 'after'])
  })

  it('fail the test and name the function that failed', async () => {
    const throwing = () => {
      throw new TypeError('no')
    }
    const failing = (t: TestObject) => t.assert.True(false, 'ready')
    const pass = () => {}
    expect((await runTest(pass, { beforeEach: throwing })).reason?.message).toBe('BeforeEach: TypeError: no')
    expect((await runTest(pass, { afterEach: throwing })).reason?.message).toBe('AfterEach: TypeError: no')
    const report = await runTest(pass, { beforeEach: failing })
    expect(report).toMatchObject({
      status: 'failed',
      reason: { kind: 'assertion', message: 'BeforeEach: assertion failed: ready' },
      failures: [{ reason: 'BeforeEach: expected true, got false', message: 'ready' }],
    })
    expect((await runTest(pass, { afterEach: async (t) => t.fatal('no') })).reason?.message).toBe(
      'AfterEach: no',
    )
  })

  it('keep the test from running when BeforeEach ended early', async () => {
    const steps: string[] = []
    const around = (beforeEach: (t: TestObject) => unknown) => ({
      beforeEach(t: TestObject) {
        t.cleanup(() => steps.push('cleanup'))
        return beforeEach(t)
      },
      afterEach: () => steps.push('after'),
    })
    const test = () => steps.push('test')
    const throwing = await runTest(
      test,
      around(() => Promise.reject(new Error('no'))),
    )
    expect(throwing.status).toBe('failed')
    const skipped = await runTest(
      test,
      around((t) => t.skip('later')),
    )
    expect(skipped).toMatchObject({ status: 'skipped', reason: { message: 'later' } })
    expect(steps).toEqual(['after', 'cleanup', 'after', 'cleanup'])
  })

  it('keep the first failure as the headline', async () => {
    const report = await runTest((t) => t.assert.True(false), {
      afterEach() {
        throw new Error('cannot close')
      },
    })
    expect(report.reason?.message).toBe('assertion failed: expected true, got false')
  })
})

describe('cleanup', () => {
  it('runs in reverse order, after AfterEach', async () => {
    const steps: string[] = []
    await runTest(
      (t) => {
        t.cleanup(() => steps.push('first'))
        t.cleanup(async () => {
          await wait(1)
          steps.push('second')
          t.cleanup(() => steps.push('added'))
        })
      },
      { afterEach: () => steps.push('after') },
    )
    expect(steps).toEqual(['after', 'second', 'added', 'first'])
  })

  it('runs completely after a failure', async () => {
    const steps: string[] = []
    const report = await runTest((t) => {
      t.cleanup(() => steps.push('first'))
      t.cleanup(() => {
        throw new Error('cannot close')
      })
      t.cleanup(() => t.fatal('neither'))
      t.fatal('enough')
    })
    expect(steps).toEqual(['first'])
    expect(report.reason?.message).toBe('enough')
  })

  it('fails a test that had passed', async () => {
    const report = await runTest((t) => t.cleanup(() => Promise.reject(new Error('cannot close'))))
    expect(report).toMatchObject({
      status: 'failed',
      reason: { kind: 'threw', message: 'cleanup: cannot close' },
    })
  })

  it('needs a function', async () => {
    const report = await runTest((t) => t.cleanup('text' as never))
    expect(report.reason?.message).toBe('TypeError: t.cleanup needs a function, got a string')
  })
})

describe('work that a test leaves behind', () => {
  it('is awaited when it is an assertion', async () => {
    const report = await runTest(({ assert }) => {
      void assert.NoPanic(async () => {
        await wait(5)
        throw new Error('late')
      })
    })
    expect(report.failures.map(({ reason }) => reason)).toEqual([
      'expected it not to throw, but it threw late',
    ])
  })

  it('belongs to the function that started it', async () => {
    const report = await runTest(() => {}, {
      beforeEach({ assert }) {
        void assert.Panic(() => wait(1))
      },
    })
    expect(report.reason?.message).toContain('BeforeEach: assertion failed: expected it to throw')
  })

  it('cannot use t any more', async () => {
    const kept: TestObject[] = []
    const report = await runTest((t) => {
      kept.push(t)
    })
    const [t] = kept
    if (t === undefined) throw new Error('no t')
    expect(() => t.assert.True(false)).toThrow('t.assert.True was called after the test "TestIt" had ended')
    for (const call of [
      () => t.log('late'),
      () => t.error('late'),
      () => t.fail(),
      () => t.fatal(),
      () => t.skip(),
      () => t.run('late', () => {}),
      () => t.mock('models.user.Find', () => 1),
      () => t.cleanup(() => {}),
    ]) {
      expect(call).toThrow('was called after the test "TestIt" had ended')
    }
    expect(t.failed).toBe(false)
    expect(report).toMatchObject({ status: 'passed', assertions: 0 })
  })
})

describe('mock', () => {
  it('passes on the replacement of a process', async () => {
    const mocked: unknown[][] = []
    const replacement = () => 1
    await runTest((t) => t.mock('models.user.Find', replacement), {
      bridge: { mock: (...args) => mocked.push(args) },
    })
    expect(mocked).toEqual([['models.user.Find', replacement]])
  })

  it('needs a name', async () => {
    const report = await runTest((t) => t.mock((() => 1) as never, undefined))
    expect(report.reason?.message).toBe('TypeError: t.mock needs the name of a process')
  })
})
