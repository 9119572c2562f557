import { defined } from '../../json/defined.ts'
import { AmountColumn } from '../../results/columns/amount-column.ts'
import { HashColumn } from '../../results/columns/hash-column.ts'
import { KeyNumbers } from '../../results/columns/key-numbers.ts'
import { NumberColumn } from '../../results/columns/number-column.ts'
import { anyRun, type Key, keyText } from '../../results/key.ts'
import { type CaseResult, isExpectedFailure } from '../../results/result.ts'
import { isSkip } from '../../results/trial.ts'
import { isUnpriced, totalCost } from '../../results/usage.ts'
import { type HistoryLine, historyVersion } from './line.ts'

/** Collects the results of a run. Results that did not finish do not count. */
export class RunLines {
  /** Numbers the cases with their variants. */
  readonly #cases = new KeyNumbers()
  readonly #counts = new CaseCounts()
  #isEmpty = true
  /** Failed attempts whose retry has not ended yet. */
  readonly #retrying = new Map<string, CaseResult>()

  /** A script test may have two results, of which the last one counts. */
  hasScripts = false

  add(result: CaseResult): void {
    this.hasScripts ||= result.script !== undefined
    if (result.retrying) this.#retrying.set(keyText(result.key), result)
    else if (this.#retrying.size > 0) this.#retrying.delete(keyText(result.key))
    if (result.status === 'interrupted' || result.status === 'not_run') return
    const number = this.#cases.add(anyRun(result.key))
    this.#counts.hash.set(number, result.caseHash)
    if (!result.retrying) this.#count(number, result)
  }

  #count(number: number, result: CaseResult): void {
    this.#isEmpty = false
    this.#counts.add(number, result)
  }

  /** Whether that case has a result that counts. */
  has(key: Key): boolean {
    return this.#cases.find(anyRun(key)) !== undefined
  }

  isEmpty(): boolean {
    return this.#isEmpty && this.#retrying.size === 0
  }

  /** One line after the other: all of them together may be large. */
  *lines(
    run: Pick<HistoryLine, 'time' | 'run_id'>,
    { withFingerprints }: { withFingerprints: boolean } = { withFingerprints: true },
  ): Generator<HistoryLine> {
    // If the run ended before the retry, the last attempt counts after all.
    for (const result of this.#retrying.values()) this.#count(this.#cases.add(anyRun(result.key)), result)
    this.#retrying.clear()
    for (let number = 0; number < this.#cases.size; number++) {
      const fields = this.#counts.fields(number)
      if (fields.runs === 0) continue
      const { file, id, variant } = this.#cases.key(number)
      if (!withFingerprints) delete fields.fingerprint
      yield { schema_version: historyVersion, ...run, file, id, variant, ...fields }
    }
  }
}

type CountFields = Omit<HistoryLine, 'schema_version' | 'time' | 'run_id' | 'file' | 'id' | 'variant'>

/** What the history keeps of each case with one variant, by its number. Columns in which nothing is counted stay empty. */
class CaseCounts {
  readonly hash = new HashColumn()
  readonly #fingerprint = new HashColumn()
  /** 1 for cases whose results have no fingerprint, or different ones. */
  readonly #isMixed = new NumberColumn()
  readonly #runs = new NumberColumn()
  readonly #passed = new NumberColumn()
  readonly #failed = new NumberColumn()
  readonly #expectedFailures = new NumberColumn()
  readonly #skipped = new NumberColumn()
  readonly #flaky = new NumberColumn()
  /** The number of runs that took time, and how much. */
  readonly #timed = new NumberColumn()
  readonly #durationMs = new AmountColumn()
  readonly #cost = new AmountColumn()
  readonly #unpriced = new NumberColumn()

  add(number: number, result: CaseResult): void {
    const { status, fault, usage } = result
    const isPassed = status === 'passed'
    const isFailed = status === 'failed' && fault === 'agent'
    const { fingerprint } = result
    const known = this.#fingerprint.get(number)
    if (fingerprint === undefined || (known !== undefined && known !== fingerprint))
      this.#isMixed.set(number, 1)
    else if (known === undefined) this.#fingerprint.set(number, fingerprint)
    this.#runs.add(number, 1)
    if (isPassed) this.#passed.add(number, 1)
    if (isFailed) this.#failed.add(number, 1)
    if (isFailed && isExpectedFailure(result)) this.#expectedFailures.add(number, 1)
    if (isSkip(result)) this.#skipped.add(number, 1)
    if (result.flaky && (isPassed || isFailed)) this.#flaky.add(number, 1)
    if (status === 'passed' || status === 'failed') {
      this.#timed.add(number, 1)
      this.#durationMs.add(number, Math.round(result.durationMs))
    }
    const cost = totalCost(usage)
    if (cost !== undefined) this.#cost.add(number, cost)
    if (isUnpriced(usage)) this.#unpriced.add(number, 1)
  }

  fields(number: number): CountFields {
    const runs = this.#runs.get(number)
    const passed = this.#passed.get(number)
    const failed = this.#failed.get(number)
    const cost = this.#cost.get(number)
    return {
      case_hash: this.hash.get(number) ?? '',
      ...defined({
        fingerprint: this.#isMixed.get(number) === 0 ? this.#fingerprint.get(number) : undefined,
      }),
      runs,
      passed,
      failed,
      unjudged: runs - passed - failed,
      ...defined({
        expected_failures: this.#expectedFailures.get(number) || undefined,
        skipped: this.#skipped.get(number) || undefined,
        flaky: this.#flaky.get(number) || undefined,
      }),
      duration_ms: Math.round((this.#durationMs.get(number) ?? 0) / Math.max(1, this.#timed.get(number))),
      ...(cost !== undefined && this.#unpriced.get(number) === 0 && { cost: cost / runs }),
    }
  }
}
