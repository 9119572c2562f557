import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import { auditOutcome, type PlayedAgainst } from './outcome.ts'

const silent: PlayedAgainst = { agent: 'silent', allowed: [], failedTools: undefined }
const failure = (kind: string) => ({ kind, message: 'so it went' })

describe('the outcome of a play', () => {
  it.each<[string, Partial<CaseResult>, object]>([
    [
      'a failed check',
      { status: 'failed', fault: 'agent', failure: failure('assertion') },
      { kind: 'caught', reason: 'so it went' },
    ],
    [
      'a network that is down',
      { status: 'failed', fault: 'infrastructure', failure: failure('connection') },
      { kind: 'not_judged', broken: true },
    ],
    [
      'a bug in viva',
      { status: 'failed', fault: 'viva', failure: failure('internal') },
      { kind: 'not_judged', broken: true },
    ],
    [
      'an interruption',
      { status: 'interrupted', termination: { reason: 'interrupted', detail: '' } },
      { kind: 'not_judged', reason: 'interrupted', broken: true },
    ],
    [
      'a simulator that gave up',
      { status: 'failed', fault: 'infrastructure', failure: failure('simulator_error') },
      { kind: 'not_judged', broken: false },
    ],
    [
      'no next user message',
      { status: 'skipped', failure: failure('missing_input') },
      { kind: 'not_judged', broken: false },
    ],
    ['a pass', {}, { kind: 'passed', checks: [] }],
  ])('of %s is told apart', (_what, result, expected) => {
    expect(auditOutcome(caseResult(result), silent)).toMatchObject(expected)
  })

  it('is a pass that is allowed where the author says so, and for that agent only', () => {
    expect(auditOutcome(caseResult(), { ...silent, allowed: ['silent'] }).kind).toBe('allowed')
    expect(auditOutcome(caseResult(), { ...silent, allowed: ['refusing'] }).kind).toBe('passed')
  })

  it('is no_tool_called when tools would have failed but none was called', () => {
    const failing: PlayedAgainst = { agent: 'tools-fail', allowed: [], failedTools: [] }
    expect(auditOutcome(caseResult(), failing)).toEqual({ kind: 'no_tool_called' })
    expect(auditOutcome(caseResult(), { ...failing, failedTools: ['look_up'] })).toMatchObject({
      kind: 'passed',
      failedTools: ['look_up'],
    })
  })
})
