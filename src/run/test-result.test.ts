import { describe, expect, it } from 'vitest'
import type { FailureReason, TestReport } from '../scripts/protocol/report.ts'
import { emptyResult } from './empty-result.ts'
import { createTestResult, failedResult } from './test-result.ts'

const entry = { id: 'TestIt', file: 'own_test.ts', line: 3, hash: 'h', tags: [], at: { script: 'TestIt' } }
const key = { file: 'own_test.ts', id: 'TestIt', variant: 'scripts', run: 1, attempt: 1 }
const base = { ...emptyResult(entry, key), logs: ['said before'], sessionId: 's1' }

function result(report: Partial<TestReport>, requireChecks = false) {
  const whole: TestReport = {
    status: 'passed',
    failures: [],
    assertions: 1,
    subtests: [],
    durationMs: 12,
    ...report,
  }
  return createTestResult(whole, base, { root: '/app', requireChecks })
}

describe('the result of a test', () => {
  it('of a test that passed keeps what was known and adds its assertions and subtests', () => {
    const subtests = [
      { name: 'a', status: 'passed' as const, durationMs: 1 },
      {
        name: 'b',
        status: 'skipped' as const,
        durationMs: 2,
        reason: { kind: 'skipped' as const, message: 'not now' },
      },
    ]
    const passed = result({ assertions: 3, subtests })
    expect(passed).toMatchObject({
      key,
      line: 3,
      logs: ['said before'],
      sessionId: 's1',
      status: 'passed',
      unchecked: false,
      durationMs: 12,
      termination: { reason: 'completed', detail: '' },
      script: {
        assertions: 3,
        subtests: [
          { name: 'a', status: 'passed', durationMs: 1 },
          { name: 'b', status: 'skipped', durationMs: 2, reason: 'not now' },
        ],
      },
    })
    expect(passed).not.toHaveProperty('failure')
    expect(passed).not.toHaveProperty('fault')
  })

  it('of a test without assertions is unchecked, and failed when checks are required', () => {
    expect(result({ assertions: 0 })).toMatchObject({ status: 'passed', unchecked: true })
    expect(result({ assertions: 0 }, true)).toMatchObject({
      status: 'failed',
      fault: 'agent',
      unchecked: false,
      failure: { kind: 'failed', message: 'it asserts nothing (--require-checks)' },
    })
    expect(result({ assertions: 1 }, true)).toMatchObject({ status: 'passed' })
    const reason = { kind: 'skipped' as const, message: 'no key' }
    expect(result({ assertions: 0, status: 'skipped', reason }, true)).toMatchObject({
      status: 'skipped',
      unchecked: false,
    })
  })

  it('of a skipped test has the reason and no fault', () => {
    const reason = { kind: 'skipped' as const, message: 'no key' }
    const skipped = result({ status: 'skipped', reason })
    expect(skipped).toMatchObject({
      status: 'skipped',
      failure: { kind: 'skipped', message: 'no key' },
      termination: { reason: 'skipped', detail: 'no key' },
    })
    expect(skipped).not.toHaveProperty('fault')
  })

  it('of a failed test has its assertions as checks, with places relative to the root', () => {
    const failures = [
      { type: 'Equal', reason: 'expected 1, got 2', expected: 1, actual: 2, at: '/app/src/own_test.ts:7' },
      { type: 'True', reason: 'expected true', message: 'the door is open' },
      { type: 'Nil', reason: 'expected null', actual: null },
    ]
    const reason = { kind: 'assertion' as const, message: 'expected 1, got 2', at: '/app/src/own_test.ts:7' }
    expect(result({ status: 'failed', failures, reason })).toMatchObject({
      status: 'failed',
      fault: 'agent',
      failure: { kind: 'assertion', message: 'expected 1, got 2' },
      termination: { reason: 'completed' },
      finals: [
        {
          type: 'Equal',
          status: 'failed',
          gates: true,
          reason: 'expected 1, got 2',
          expected: 1,
          actual: 2,
          fields: { at: 'src/own_test.ts:7' },
        },
        {
          type: 'True',
          reason: 'the door is open: expected true',
          fields: { message: 'the door is open' },
        },
        { type: 'Nil', actual: null },
      ],
    })
    expect(result({ status: 'failed', failures, reason }).finals[1]).not.toHaveProperty('expected')
  })

  it('of a failed test without a reason is failed', () => {
    expect(result({ status: 'failed' })).toMatchObject({
      status: 'failed',
      fault: 'agent',
      failure: { kind: 'failed', message: 'failed' },
    })
  })
})

describe('failedResult', () => {
  it.each<[FailureReason, object]>([
    [
      { kind: 'threw', message: 'no', at: '/app/a.ts:1' },
      {
        fault: 'agent',
        failure: { kind: 'script_error', message: 'no (a.ts:1)' },
        termination: { reason: 'agent_error' },
      },
    ],
    [
      { kind: 'crashed', message: 'process.exit(1) was called' },
      { fault: 'agent', failure: { kind: 'script_error' }, termination: { reason: 'agent_error' } },
    ],
    [
      { kind: 'failed', message: 'by hand', at: '/elsewhere/a.ts:1' },
      {
        fault: 'agent',
        failure: { kind: 'failed', message: 'by hand (../elsewhere/a.ts:1)' },
        termination: { reason: 'completed' },
      },
    ],
    [
      { kind: 'timeout', message: 'timeout after 1s' },
      { fault: 'agent', failure: { kind: 'timeout' }, termination: { reason: 'timeout' } },
    ],
    [
      { kind: 'timeout', message: 'timeout after 1s', infrastructure: 'timeout' },
      { fault: 'infrastructure', failure: { kind: 'timeout' }, termination: { reason: 'timeout' } },
    ],
    [
      { kind: 'threw', message: '429', infrastructure: 'rate_limit' },
      {
        fault: 'infrastructure',
        failure: { kind: 'rate_limit' },
        termination: { reason: 'infrastructure_error' },
      },
    ],
    [
      { kind: 'threw', message: 'a → b', infrastructure: 'too_deep' },
      { fault: 'agent', failure: { kind: 'too_deep' }, termination: { reason: 'infrastructure_error' } },
    ],
  ])('%j', (reason, expected) => {
    const failed = failedResult(reason, base, '/app')
    expect(failed).toMatchObject({ status: 'failed', unchecked: false, ...expected })
    expect(failed.termination.detail).toBe(failed.failure?.message)
  })

  it('replaces an earlier result without changing it', () => {
    const passed = result({ assertions: 2 })
    const failed = failedResult({ kind: 'threw', message: 'after it had ended: no' }, passed, '/app')
    expect(failed).toMatchObject({ status: 'failed', script: { assertions: 2 }, logs: ['said before'] })
    expect(passed.status).toBe('passed')
  })
})
