import type { AuditAgent } from '../../cases/audit-agents.ts'
import { CaseColumns, type CaseList } from '../../cases/case-list.ts'
import { type CaseEntry, type CaseSource, isScriptTest, suiteAgent } from '../../cases/entry.ts'
import { ConfigError, InfrastructureError } from '../../errors.ts'

/** Why a case is left out of an audit. */
const reasons = {
  expected_failure: 'expected to fail',
  skipped: 'skipped by their authors',
  script_test: 'script tests',
} as const

export type Reason = keyof typeof reasons

export interface Auditable {
  entries: CaseList
  leftOut: Partial<Record<Reason, number>>
  /** The agents that may pass a case, according to its author. */
  allowed(key: { file: string; id: string }): readonly AuditAgent[]
  /** Whether the case is written in a suite, where keys are spelt otherwise. */
  isInSuite(key: { file: string }): boolean
}

/** Finds the cases that can be audited. Each is loaded once and not kept in memory. */
export async function findAuditable(
  selected: CaseList,
  source: CaseSource,
  /** The variants that play a case of a suite with that agent. */
  suiteVariants: (agent: string) => string[],
): Promise<Auditable> {
  const columns = new CaseColumns()
  const leftOut: Auditable['leftOut'] = {}
  const allowances = new Map<string, readonly AuditAgent[]>()
  const suites = new Set<string>()
  for (const entry of selected) {
    const { reason, allows } = await inspectCase(entry, source)
    if (reason !== undefined) {
      leftOut[reason] = (leftOut[reason] ?? 0) + 1
      continue
    }
    // Failing is the expected outcome here, so there are no retries.
    const own = suiteAgent(entry)
    if (own !== undefined) suites.add(entry.file)
    const at = own === undefined ? entry.at : { suite: own, against: suiteVariants(own) }
    columns.add({ ...entry, retries: 0, at })
    if (allows !== undefined) allowances.set(caseKey(entry), allows)
  }
  const entries = columns.list()
  if (entries.length === 0) {
    const message = `there is nothing to audit: every selected case is left out (${leftOutText(leftOut)})`
    throw new ConfigError({ code: 'none_selected', message })
  }
  return {
    entries,
    leftOut,
    allowed: (key) => allowances.get(caseKey(key)) ?? [],
    isInSuite: ({ file }) => suites.has(file),
  }
}

interface CaseInspection {
  reason?: Reason
  allows?: readonly AuditAgent[] | undefined
}

async function inspectCase(entry: CaseEntry, source: CaseSource): Promise<CaseInspection> {
  if (isScriptTest(entry)) return { reason: 'script_test' }
  if (entry.skipped) return { reason: 'skipped' }
  if ('suite' in entry.at) return { allows: entry.at.auditAllows }
  try {
    const loaded = await source.load(entry)
    if (loaded.kind !== 'conversation') return {}
    if (loaded.expectedFailure !== undefined) return { reason: 'expected_failure' }
    return { allows: loaded.auditAllows }
  } catch (error) {
    // The results will report it.
    if (error instanceof InfrastructureError) return {}
    throw error
  }
}

/** `expected to fail: 2, script tests: 1` */
export function leftOutText(leftOut: Auditable['leftOut']): string {
  return (Object.entries(leftOut) as [Reason, number][])
    .map(([reason, count]) => `${reasons[reason]}: ${count}`)
    .join(', ')
}

/** A case, whoever is played against it. */
export function caseKey({ file, id }: { file: string; id: string }): string {
  return JSON.stringify([file, id])
}
