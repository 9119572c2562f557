import { describe, expect, it } from 'vitest'
import type { TestBridge } from '../../../protocol/testing.ts'
import { runTest } from '../testing.fixture.ts'

const options = { metadata: { criteria: 'asks for confirmation', conversation: [] } }

function answering(validate: TestBridge['validate']) {
  return { bridge: { validate } }
}

describe('Agent', () => {
  it('asks the agent, with unchanged options', async () => {
    const asked: unknown[][] = []
    const bridge = answering((...args) => {
      asked.push(args)
      return { passed: true, reason: 'it does' }
    })
    const answers: unknown[] = []
    const report = await runTest(({ assert }) => {
      answers.push(assert.Agent('Confirm?', 'workers.test.validator', options))
      answers.push(assert.Agent({ a: 1 }, 'judge'))
    }, bridge)
    expect(report).toMatchObject({ status: 'passed', assertions: 2 })
    expect(answers).toEqual([true, true])
    expect(asked).toEqual([
      ['Confirm?', 'workers.test.validator', options],
      [{ a: 1 }, 'judge', undefined],
    ])
    expect(asked[0]?.[2]).toBe(options)
  })

  it('fails with the reason of the agent', async () => {
    const refusing = answering(() => ({ passed: false, reason: 'no\nquestion', score: 0.2 }))
    const report = await runTest(({ assert }) => assert.Agent('Done.', 'judge', options), refusing)
    expect(report).toMatchObject({
      status: 'failed',
      reason: { kind: 'assertion', message: 'assertion failed: no question (score 0.2)' },
      failures: [
        {
          type: 'Agent',
          reason: 'no question (score 0.2)',
          expected: 'asks for confirmation',
          actual: 'Done.',
        },
      ],
    })
  })

  it('takes a message after the options, or in their place', async () => {
    const refusing = answering(() => ({ passed: false, reason: 'no' }))
    const report = await runTest(({ assert }) => {
      assert.Agent('Done.', 'judge', options, 'must ask')
      assert.Agent('Done.', 'judge', 'must ask, too')
    }, refusing)
    expect(report.failures.map(({ message }) => message)).toEqual(['must ask', 'must ask, too'])
  })

  it('fails with the error when the agent could not be asked, and the test continues', async () => {
    const unreachable = answering(() => {
      throw Object.assign(new Error('no connection'), { vivaInfrastructure: 'connection' })
    })
    const answers: unknown[] = []
    const report = await runTest(({ assert }) => {
      answers.push(assert.Agent('Done.', 'judge', options, 'must ask'))
      answers.push(assert.True(true))
    }, unreachable)
    expect(answers).toEqual([false, true])
    expect(report).toMatchObject({
      status: 'failed',
      reason: { kind: 'threw', message: 'no connection', infrastructure: 'connection' },
      failures: [{ type: 'Agent', reason: 'no connection', message: 'must ask' }],
      assertions: 2,
    })
  })

  it('keeps an earlier failure as the headline', async () => {
    const unreachable = answering(() => {
      throw Object.assign(new Error('no connection'), { vivaInfrastructure: 'connection' })
    })
    const report = await runTest(({ assert }) => {
      assert.True(false)
      assert.Agent('Done.', 'judge')
    }, unreachable)
    expect(report.reason).toEqual({
      kind: 'assertion',
      message: 'assertion failed: expected true, got false',
    })
  })

  it('fails for an invalid answer', async () => {
    for (const answer of [{ passed: 'yes', reason: 'a' }, undefined, {}, Promise.resolve({ passed: true })]) {
      const report = await runTest(
        ({ assert }) => assert.Agent('a', 'judge'),
        answering(() => answer as never),
      )
      expect(report.status).toBe('failed')
    }
  })

  it.each([undefined, '', 5, options])('needs the id of an agent, not %s', async (id) => {
    const report = await runTest(({ assert }) => assert.Agent('a', id as string))
    expect(report.failures[0]?.reason).toContain('Agent needs the id of an agent, got ')
  })
})
