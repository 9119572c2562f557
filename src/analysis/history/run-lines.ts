import { defined } from '../../json/defined.ts'
import { type Key, keyText } from '../../results/key.ts'
import { type CaseResult, isExpectedFailure } from '../../results/result.ts'
import { caseText } from '../../results/stability.ts'
import { isSkip } from '../../results/trial.ts'
import { isUnpriced, totalCost } from '../../results/usage.ts'
import { type HistoryLine, historyVersion } from './line.ts'

/** Collects the results of a run. Results that did not finish do not count. */
export class RunLines {
  readonly #cases = new Map<string, CaseCounts>()
  /** Failed attempts whose retry has not ended yet. */
  readonly #retrying = new Map<string, CaseResult>()

  /** A script test may have two results, of which the last one counts. */
  hasScripts = false

  add(result: CaseResult): void {
    this.hasScripts ||= result.script !== undefined
    if (result.retrying) this.#retrying.set(keyText(result.key), result)
    else if (this.#retrying.size > 0) this.#retrying.delete(keyText(result.key))
    if (result.status === 'interrupted' || result.status === 'not_run') return
    const counts = this.#countsOf(result.key)
    counts.hash = result.caseHash
    if (!result.retrying) counts.add(result)
  }

  #countsOf(key: Key): CaseCounts {
    const text = caseText(key)
    const known = this.#cases.get(text) ?? new CaseCounts(key)
    this.#cases.set(text, known)
    return known
  }

  /** Whether that case has a result that counts. */
  has(key: Key): boolean {
    return this.#cases.has(caseText(key))
  }

  isEmpty(): boolean {
    for (const { runs } of this.#cases.values()) if (runs > 0) return false
    return this.#retrying.size === 0
  }

  /** One line after the other: all of them together may be large. */
  *lines(run: Pick<HistoryLine, 'time' | 'run_id'>): Generator<HistoryLine> {
    // If the run ended before the retry, the last attempt counts after all.
    for (const result of this.#retrying.values()) this.#countsOf(result.key).add(result)
    this.#retrying.clear()
    for (const counts of this.#cases.values()) if (counts.runs > 0) yield counts.line(run)
  }
}

/** What the history keeps of a case with one variant. */
class CaseCounts {
  readonly #key: Key
  hash = ''
  runs = 0
  #passed = 0
  #failed = 0
  #expectedFailures = 0
  #skipped = 0
  #flaky = 0
  /** The number of runs that took time, and how much. */
  #timed = 0
  #durationMs = 0
  #cost: number | undefined
  #isUnpriced = false

  constructor(key: Key) {
    this.#key = key
  }

  add(result: CaseResult): void {
    const { status, fault, usage } = result
    const isPassed = status === 'passed'
    const isFailed = status === 'failed' && fault === 'agent'
    this.runs += 1
    if (isPassed) this.#passed += 1
    if (isFailed) this.#failed += 1
    if (isFailed && isExpectedFailure(result)) this.#expectedFailures += 1
    if (isSkip(result)) this.#skipped += 1
    if (result.flaky && (isPassed || isFailed)) this.#flaky += 1
    if (status === 'passed' || status === 'failed') {
      this.#timed += 1
      this.#durationMs += result.durationMs
    }
    const cost = totalCost(usage)
    if (cost !== undefined) this.#cost = (this.#cost ?? 0) + cost
    this.#isUnpriced ||= isUnpriced(usage)
  }

  line(run: Pick<HistoryLine, 'time' | 'run_id'>): HistoryLine {
    const { file, id, variant } = this.#key
    return {
      schema_version: historyVersion,
      ...run,
      file,
      id,
      variant,
      case_hash: this.hash,
      runs: this.runs,
      passed: this.#passed,
      failed: this.#failed,
      unjudged: this.runs - this.#passed - this.#failed,
      ...defined({
        expected_failures: this.#expectedFailures || undefined,
        skipped: this.#skipped || undefined,
        flaky: this.#flaky || undefined,
      }),
      duration_ms: Math.round(this.#durationMs / Math.max(1, this.#timed)),
      ...(this.#cost !== undefined && !this.#isUnpriced && { cost: this.#cost / this.runs }),
    }
  }
}
