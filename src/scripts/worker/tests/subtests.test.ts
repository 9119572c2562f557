import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { runTest } from './testing.fixture.ts'

describe('a subtest', () => {
  it('has its own t, and returns whether it did not fail', async () => {
    const answers: unknown[] = []
    const report = await runTest((t) => {
      answers.push(t.run('good', (sub) => sub.assert.Equal(sub.name, 'TestIt/good')))
      answers.push(t.run('left', (sub) => sub.skip('later')))
      answers.push(t.failed)
      answers.push(t.run('bad', (sub) => sub.assert.True(false, 'ready')))
      answers.push(t.failed)
    })
    expect(answers).toEqual([true, true, false, false, true])
    expect(report).toMatchObject({
      status: 'failed',
      reason: { kind: 'assertion', message: 'bad: assertion failed: ready' },
      assertions: 2,
      failures: [{ reason: 'bad: expected true, got false', message: 'ready' }],
      subtests: [
        { name: 'good', status: 'passed' },
        { name: 'left', status: 'skipped', reason: { kind: 'skipped', message: 'later' } },
        { name: 'bad', status: 'failed', reason: { kind: 'assertion', message: 'assertion failed: ready' } },
      ],
    })
  })

  it('ends without ending its parent', async () => {
    const steps: string[] = []
    const report = await runTest((t) => {
      t.run('fatal', (sub) => sub.fatal('enough'))
      t.run('threw', () => {
        throw new TypeError('no')
      })
      steps.push('went on')
    })
    expect(steps).toEqual(['went on'])
    expect(report.reason).toMatchObject({ kind: 'failed', message: 'fatal: enough' })
    expect(report.subtests.map(({ reason }) => reason?.message)).toEqual(['enough', 'TypeError: no'])
  })

  it('may have subtests', async () => {
    const report = await runTest((t) => {
      t.run('outer', (outer) => {
        outer.run('inner', (inner) => inner.assert.Equal(inner.name, 'TestIt/outer/inner'))
        outer.run('inner', (inner) => inner.fail('no'))
      })
    })
    expect(report.reason?.message).toBe('outer/inner#01: no')
    expect(report.subtests).toMatchObject([
      { name: 'outer', status: 'failed', reason: { message: 'inner#01: no' } },
      { name: 'outer/inner', status: 'passed' },
      { name: 'outer/inner#01', status: 'failed', reason: { message: 'no' } },
    ])
  })

  it('has a unique name', async () => {
    const report = await runTest((t) => {
      for (const name of ['a', 'a#01', 'a', 'a', '', '__proto__', '__proto__', 'toString'])
        t.run(name, () => {})
    })
    expect(report.subtests.map(({ name }) => name)).toEqual([
      'a',
      'a#01',
      'a#02',
      'a#03',
      '#01',
      '__proto__',
      '__proto__#01',
      'toString',
    ])
  })

  it('returns a promise when it is async, and is awaited in any case', async () => {
    const answers: unknown[] = []
    const report = await runTest(async (t) => {
      answers.push(await t.run('awaited', async (sub) => sub.assert.True(true)))
      void t.run('not awaited', async (sub) => {
        await wait(5)
        sub.assert.True(false)
      })
    })
    expect(answers).toEqual([true])
    expect(report.subtests.map(({ status }) => status)).toEqual(['passed', 'failed'])
    expect(report.reason?.message).toBe('not awaited: assertion failed: expected true, got false')
  })

  it('may run in parallel with others', async () => {
    const report = await runTest((t) =>
      Promise.all([
        t.run('slow', async (sub) => {
          await wait(5)
          sub.fail('slow')
        }),
        t.run('fast', async (sub) => sub.fail('fast')),
      ]),
    )
    expect(report.reason?.message).toBe('fast: fast')
    expect(report.subtests.map(({ name }) => name)).toEqual(['slow', 'fast'])
  })

  it('cleans up when it ends', async () => {
    const steps: string[] = []
    const report = await runTest((t) => {
      t.cleanup(() => steps.push('outer'))
      t.run('inner', (sub) => {
        sub.cleanup(() => steps.push('inner'))
        sub.cleanup(() => {
          throw new Error('cannot close')
        })
      })
      steps.push('after inner')
    })
    expect(steps).toEqual(['inner', 'after inner', 'outer'])
    expect(report.reason?.message).toBe('inner: cleanup: cannot close')
  })

  it('is asynchronous only when it leaves something to await', async () => {
    const answers: unknown[] = []
    const report = await runTest((t) => {
      const answer = t.run('inner', (sub) => {
        sub.cleanup(() => wait(1))
      })
      answers.push(answer instanceof Promise)
    })
    expect(answers).toEqual([true])
    expect(report.subtests).toMatchObject([{ name: 'inner', status: 'passed' }])
  })

  it('can be ended together with its parent', async () => {
    const steps: string[] = []
    const fatal = await runTest((t) => {
      t.run('inner', () => t.fatal('enough'))
      steps.push('went on')
    })
    expect(fatal).toMatchObject({ status: 'failed', reason: { message: 'enough' } })
    expect(fatal.subtests).toMatchObject([{ status: 'failed' }])
    const skipped = await runTest(async (t) => {
      await t.run('inner', async () => t.skip('later'))
      steps.push('went on')
    })
    expect(skipped).toMatchObject({ status: 'skipped', reason: { message: 'later' } })
    expect(skipped.subtests).toMatchObject([{ status: 'skipped' }])
    expect(steps).toEqual([])
  })

  it('cannot end its parent with its own t', async () => {
    const report = await runTest(async (t) => {
      let inner = t
      void t.run('inner', async (sub) => {
        inner = sub
        await wait(5)
      })
      inner.skip('later')
    })
    expect(report).toMatchObject({
      status: 'failed',
      reason: { kind: 'failed', message: 't.skip() ended the test "TestIt/inner": later' },
    })
  })

  it('needs a name and a function', async () => {
    expect((await runTest((t) => t.run((() => {}) as never, () => {}))).reason?.message).toBe(
      'TypeError: t.run needs a name, got a function',
    )
    expect((await runTest((t) => t.run('a', undefined as never))).reason?.message).toBe(
      'TypeError: t.run needs a function, got undefined',
    )
  })

  it('cannot be used after its end', async () => {
    const report = await runTest((t) => {
      let kept = t
      t.run('inner', (sub) => {
        kept = sub
      })
      kept.assert.True(true)
    })
    expect(report.reason?.message).toBe('t.assert.True was called after the test "TestIt/inner" had ended')
  })
})
