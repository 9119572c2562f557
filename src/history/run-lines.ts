import { defined } from '../defined.ts'
import { type Key, keyText } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import { caseText, StabilityTally } from '../results/stability.ts'
import { type HistoryLine, historyVersion } from './line.ts'

/** What the tally of stability does not count. */
interface Besides {
  caseHash: string
  skipped: number
}

/** Gathers the results of a run as they pass by; what did not finish does not count. */
export class RunLines {
  readonly #stability = new StabilityTally()
  readonly #besides = new Map<string, Besides>()
  /** Failed attempts whose next one has not ended yet. */
  readonly #retrying = new Map<string, CaseResult>()

  add(result: CaseResult): void {
    const key = keyText(result.key)
    if (result.retrying) {
      this.#retrying.set(key, result)
      return
    }
    const finished = result.status !== 'interrupted' && result.status !== 'not_run'
    if (finished) this.#count(result)
    this.#retrying.delete(key)
  }

  /** Whether anything of that case has passed by and counts. */
  has(key: Key): boolean {
    return (
      this.#besides.has(caseText(key)) ||
      [...this.#retrying.values()].some((one) => caseText(one.key) === caseText(key))
    )
  }

  lines(run: Pick<HistoryLine, 'time' | 'run_id'>): HistoryLine[] {
    // Where the run ended before the next attempt, the last one counts after all.
    for (const { retrying: _, ...result } of this.#retrying.values()) this.#count(result)
    this.#retrying.clear()
    return this.#stability.cases().flatMap((stability) => {
      const besides = this.#besides.get(caseText(stability))
      if (besides === undefined) return []
      const { file, id, variant, runs, passed, failed, unjudged, durations, cost } = stability
      return {
        schema_version: historyVersion,
        ...run,
        file,
        id,
        variant,
        case_hash: besides.caseHash,
        runs,
        passed,
        failed,
        unjudged,
        ...defined({
          expected_failures: stability.expectedFailures || undefined,
          skipped: besides.skipped || undefined,
          flaky: stability.flaky || undefined,
        }),
        duration_ms: Math.round(durations.average),
        ...defined({ cost: cost === undefined ? undefined : cost / runs }),
      }
    })
  }

  #count(result: CaseResult): void {
    this.#stability.add(result)
    const name = caseText(result.key)
    // One that is skipped because the simulator broke is the world's failure.
    const isSkipped = result.status === 'skipped' && result.fault !== 'world'
    const skipped = (this.#besides.get(name)?.skipped ?? 0) + Number(isSkipped)
    this.#besides.set(name, { caseHash: result.caseHash, skipped })
  }
}
