import { defined } from '../defined.ts'
import { keyText } from '../results/key.ts'
import { type CaseResult, isExpected } from '../results/result.ts'
import { caseText, StabilityTally } from '../results/stability.ts'
import { totalCost } from '../results/usage.ts'
import { type HistoryLine, historyVersion } from './line.ts'

/** What the tally of stability does not count. */
interface Besides {
  caseHash: string
  expected: number
  skipped: number
  flaky: number
  /** Undefined once one is not known. */
  cost: number | undefined
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

  lines(run: Pick<HistoryLine, 'time' | 'run_id'>): HistoryLine[] {
    // Where the run ended before the next attempt, the last one counts after all.
    for (const result of this.#retrying.values()) this.#count(result)
    this.#retrying.clear()
    return this.#stability.cases().flatMap((stability) => {
      const besides = this.#besides.get(caseText(stability))
      if (besides === undefined) return []
      const { file, id, variant, runs, passed, failed, unjudged, durations } = stability
      const { caseHash, expected, skipped, flaky, cost } = besides
      return {
        schema_version: historyVersion,
        ...run,
        file,
        id,
        variant,
        case_hash: caseHash,
        runs,
        passed,
        failed,
        unjudged,
        ...defined({
          expected_failures: expected || undefined,
          skipped: skipped || undefined,
          flaky: flaky || undefined,
        }),
        duration_ms: Math.round(durations.average),
        ...defined({ cost: cost === undefined ? undefined : cost / runs }),
      }
    })
  }

  #count(result: CaseResult): void {
    this.#stability.add(result)
    const name = caseText(result.key)
    const before = this.#besides.get(name) ?? { expected: 0, skipped: 0, flaky: 0, cost: 0 }
    const cost = totalCost(result.usage)
    this.#besides.set(name, {
      caseHash: result.caseHash,
      expected: before.expected + Number(isExpected(result)),
      // One that is skipped because the simulator broke is the world's failure.
      skipped: before.skipped + Number(result.status === 'skipped' && result.fault !== 'world'),
      flaky: before.flaky + Number(result.flaky ?? false),
      cost: before.cost === undefined || cost === undefined ? undefined : before.cost + cost,
    })
  }
}
