import { keyText } from './key.ts'
import type { CaseResult } from './result.ts'
import type { RunSummary } from './summary.ts'

/** Counts results as they pass by, the last one of a key winning: summary and exit code come from here. */
export class Tally {
  readonly #seen = new Map<string, Pick<CaseResult, 'status' | 'fault' | 'unchecked'>>()

  add({ key, status, fault, unchecked }: CaseResult): void {
    this.#seen.set(keyText(key), { status, ...(fault ? { fault } : {}), unchecked })
  }

  summary(total: number, durationMs: number): RunSummary {
    const results = [...this.#seen.values()]
    const count = (status: CaseResult['status']) =>
      results.filter((result) => result.status === status).length
    const [passed, failed, skipped, interrupted] = [
      count('passed'),
      count('failed'),
      count('skipped'),
      count('interrupted'),
    ]
    return {
      total,
      passed,
      failed,
      skipped,
      interrupted,
      notRun: total - passed - failed - skipped - interrupted,
      unchecked: results.filter((result) => result.unchecked && result.status === 'passed').length,
      worldFailures: results.filter((result) => result.status === 'failed' && result.fault !== 'agent')
        .length,
      durationMs,
    }
  }
}

/** Percent of what could be judged; undefined when nothing could. */
export function passRate({ passed, failed, worldFailures }: RunSummary): number | undefined {
  const judged = passed + failed - worldFailures
  return judged === 0 ? undefined : Math.round((passed / judged) * 1000) / 10
}

/** Exit codes: 0 passed, 1 some case failed, 2 nothing was judged, 3 only the world stood in the way. */
export function exitCodeOf(summary: RunSummary): number {
  if (summary.failed > summary.worldFailures) return 1
  if (summary.worldFailures > 0) return 3
  if (summary.passed === 0) return 2
  return summary.notRun + summary.interrupted > 0 ? 3 : 0
}
