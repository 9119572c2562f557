import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import { Audit } from './audit.ts'
import { createCast } from './cast.ts'

const everybody = ['silent', 'echo', 'refusing', 'done']
const caught: Partial<CaseResult> = { status: 'failed', fault: 'agent' }
const gaveUp: Partial<CaseResult> = {
  status: 'failed',
  fault: 'infrastructure',
  failure: { kind: 'simulator_error', message: 'it repeats itself' },
}

/** The same result for every agent, unless `others` has one. */
function runAudit(result: Partial<CaseResult>, others: Record<string, Partial<CaseResult>> = {}): Audit {
  const audit = new Audit(createCast(new Map()), {
    entries: [],
    leftOut: {},
    allowed: () => [],
    isInSuite: () => false,
  })
  for (const variant of everybody)
    audit.add(caseResult({ key: { ...caseResult().key, variant }, ...(others[variant] ?? result) }))
  return audit
}

describe('an audit', () => {
  it('exits with 0 when the case fails against every agent', () => {
    expect(runAudit(caught).exitCode()).toBe(0)
  })

  it('exits with 1 when the case passes against one agent, whatever else broke', () => {
    const audit = runAudit({ status: 'failed', fault: 'infrastructure' }, { echo: {} })
    expect(audit.exitCode()).toBe(1)
    expect(audit.findings.map(({ passed }) => passed.map(({ agent }) => agent))).toEqual([['echo']])
  })

  it('exits with 3 when the infrastructure failed for one agent', () => {
    expect(runAudit(caught, { done: { status: 'failed', fault: 'infrastructure' } }).exitCode()).toBe(3)
  })

  it('accepts that a simulator gives up, unless the case was judged against no agent', () => {
    expect(runAudit(gaveUp, { done: caught }).exitCode()).toBe(0)
    expect(runAudit(gaveUp).exitCode()).toBe(3)
  })
})
