import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CaseResult } from '../../results/result.ts'
import { Audit } from './audit.ts'
import { castFor } from './cast.ts'

const everybody = ['silent', 'echo', 'refusing', 'done']
const caught: Partial<CaseResult> = { status: 'failed', fault: 'agent' }
const gaveUp: Partial<CaseResult> = {
  status: 'failed',
  fault: 'infrastructure',
  failure: { kind: 'simulator_error', message: 'it repeats itself' },
}

/** The same case against all of them. */
function auditOf(result: Partial<CaseResult>, others: Record<string, Partial<CaseResult>> = {}): Audit {
  const audit = new Audit(castFor(new Map()), { entries: [], leftOut: {}, allowed: () => [] })
  for (const variant of everybody)
    audit.add(caseResult({ key: { ...caseResult().key, variant }, ...(others[variant] ?? result) }))
  return audit
}

describe('an audit', () => {
  it('exits with 0 where all are caught', () => {
    expect(auditOf(caught).exitCode()).toBe(0)
  })

  it('exits with 1 where one passes, whatever else broke', () => {
    const audit = auditOf({ status: 'failed', fault: 'infrastructure' }, { echo: {} })
    expect(audit.exitCode()).toBe(1)
    expect(audit.findings.map(({ passed }) => passed.map(({ agent }) => agent))).toEqual([['echo']])
  })

  it('exits with 3 where the infrastructure failed for one of them', () => {
    expect(auditOf(caught, { done: { status: 'failed', fault: 'infrastructure' } }).exitCode()).toBe(3)
  })

  it('lets a simulator give up, unless nothing is known of the case then', () => {
    expect(auditOf(gaveUp, { done: caught }).exitCode()).toBe(0)
    expect(auditOf(gaveUp).exitCode()).toBe(3)
  })
})
