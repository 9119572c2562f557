import type { CaseList } from '../../cases/case-list.ts'
import { InfrastructureError } from '../../errors.ts'
import type { CaseResult } from '../../results/result.ts'
import type { Start } from '../phase.ts'
import type { AroundRun, Prepared } from './around-run.ts'

interface BeforeAllNeeds extends Start {
  aroundRun: AroundRun
  cases: CaseList
}

export const beforeAllPhase = {
  name: 'beforeAll',
  open: ({ aroundRun, cases, signal }: BeforeAllNeeds) => aroundRun.before(cases, signal),
  /** Cleans up where the run that would have done it was never started. */
  async close(prepared: Prepared): Promise<void> {
    const trouble = await prepared.after(noResults())
    if (trouble !== undefined) throw new InfrastructureError('before_error', trouble)
  },
} as const

async function* noResults(): AsyncGenerator<CaseResult> {}
