import { defined } from '../../json/defined.ts'
import { type Key, keyText } from '../../results/key.ts'
import type { CaseResult } from '../../results/result.ts'
import { caseText, StabilityTally } from '../../results/stability.ts'
import { type HistoryLine, historyVersion } from './line.ts'

/** Collects the results of a run. Results that did not finish do not count. */
export class RunLines {
  readonly #stability = new StabilityTally()
  /** The hash of each case as it was written. */
  readonly #hashes = new Map<string, string>()
  /** Failed attempts whose retry has not ended yet. */
  readonly #retrying = new Map<string, CaseResult>()

  /** A script test may have two results, of which the last one counts. */
  hasScripts = false

  add(result: CaseResult): void {
    const key = keyText(result.key)
    this.hasScripts ||= result.script !== undefined
    const finished = result.status !== 'interrupted' && result.status !== 'not_run'
    if (finished) this.#hashes.set(caseText(result.key), result.caseHash)
    if (result.retrying) {
      this.#retrying.set(key, result)
      return
    }
    if (finished) this.#stability.add(result)
    this.#retrying.delete(key)
  }

  /** Whether that case has a result that counts. */
  has(key: Key): boolean {
    return this.#hashes.has(caseText(key))
  }

  lines(run: Pick<HistoryLine, 'time' | 'run_id'>): HistoryLine[] {
    // If the run ended before the retry, the last attempt counts after all.
    for (const { retrying: _, ...result } of this.#retrying.values()) this.#stability.add(result)
    this.#retrying.clear()
    return this.#stability.cases().flatMap((stability) => {
      const hash = this.#hashes.get(caseText(stability))
      if (hash === undefined) return []
      const { file, id, variant, runs, passed, failed, unjudged, durations, cost } = stability
      return {
        schema_version: historyVersion,
        ...run,
        file,
        id,
        variant,
        case_hash: hash,
        runs,
        passed,
        failed,
        unjudged,
        ...defined({
          expected_failures: stability.expectedFailures || undefined,
          skipped: stability.skipped || undefined,
          flaky: stability.flaky || undefined,
        }),
        duration_ms: Math.round(durations.average),
        ...defined({ cost: cost === undefined ? undefined : cost / runs }),
      }
    })
  }
}
