import { defined } from '../../json/defined.ts'
import { type Key, keyText } from '../../results/key.ts'
import { type CaseResult, isExpectedFailure } from '../../results/result.ts'
import { isSkip } from '../../results/trial.ts'
import { isUnpriced, totalCost } from '../../results/usage.ts'
import { type HistoryLine, historyVersion } from './line.ts'

/** What the history keeps of a case with one variant. */
interface CaseCounts {
  /** Its place among the cases of the run. */
  readonly order: number
  hash: string
  runs: number
  passed: number
  failed: number
  expectedFailures: number
  skipped: number
  flaky: number
  /** The number of runs that took time, and how much. */
  timed: number
  durationMs: number
  cost: number | undefined
  isUnpriced: boolean
}

type CountsById = Map<string, CaseCounts>

/** Collects the results of a run. Results that did not finish do not count. */
export class RunLines {
  /** By file, variant and id: no text has to be made, and kept, for a case. */
  readonly #cases = new Map<string, Map<string, CountsById>>()
  #count = 0
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
    if (!result.retrying) addResult(counts, result)
  }

  #countsOf({ file, variant, id }: Key): CaseCounts {
    const variants = findOrAdd(this.#cases, file, () => new Map<string, CountsById>())
    const ids = findOrAdd(variants, variant, () => new Map<string, CaseCounts>())
    return findOrAdd(ids, id, () => {
      this.#count += 1
      return emptyCounts(this.#count)
    })
  }

  *#all(): Generator<[Pick<Key, 'file' | 'variant' | 'id'>, CaseCounts]> {
    for (const [file, variants] of this.#cases)
      for (const [variant, ids] of variants)
        for (const [id, counts] of ids) yield [{ file, variant, id }, counts]
  }

  /** Whether that case has a result that counts. */
  has({ file, variant, id }: Key): boolean {
    return this.#cases.get(file)?.get(variant)?.has(id) ?? false
  }

  isEmpty(): boolean {
    for (const [, { runs }] of this.#all()) if (runs > 0) return false
    return this.#retrying.size === 0
  }

  /** One line after the other: all of them together may be large. */
  *lines(run: Pick<HistoryLine, 'time' | 'run_id'>): Generator<HistoryLine> {
    // If the run ended before the retry, the last attempt counts after all.
    for (const result of this.#retrying.values()) addResult(this.#countsOf(result.key), result)
    this.#retrying.clear()
    const inOrder = [...this.#all()].sort(([, one], [, other]) => one.order - other.order)
    for (const [{ file, id, variant }, counts] of inOrder) {
      if (counts.runs === 0) continue
      yield { schema_version: historyVersion, ...run, file, id, variant, ...countsToFields(counts) }
    }
  }
}

function findOrAdd<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

function emptyCounts(order: number): CaseCounts {
  return {
    order,
    hash: '',
    runs: 0,
    passed: 0,
    failed: 0,
    expectedFailures: 0,
    skipped: 0,
    flaky: 0,
    timed: 0,
    durationMs: 0,
    cost: undefined,
    isUnpriced: false,
  }
}

function addResult(counts: CaseCounts, result: CaseResult): void {
  const { status, fault, usage } = result
  const isPassed = status === 'passed'
  const isFailed = status === 'failed' && fault === 'agent'
  counts.runs += 1
  if (isPassed) counts.passed += 1
  if (isFailed) counts.failed += 1
  if (isFailed && isExpectedFailure(result)) counts.expectedFailures += 1
  if (isSkip(result)) counts.skipped += 1
  if (result.flaky && (isPassed || isFailed)) counts.flaky += 1
  if (status === 'passed' || status === 'failed') {
    counts.timed += 1
    // Fractions would be kept as objects.
    counts.durationMs += Math.round(result.durationMs)
  }
  const cost = totalCost(usage)
  if (cost !== undefined) counts.cost = (counts.cost ?? 0) + cost
  counts.isUnpriced ||= isUnpriced(usage)
}

type CountFields = Omit<HistoryLine, 'schema_version' | 'time' | 'run_id' | 'file' | 'id' | 'variant'>

function countsToFields(counts: CaseCounts): CountFields {
  const { hash, runs, passed, failed, durationMs, timed, cost } = counts
  return {
    case_hash: hash,
    runs,
    passed,
    failed,
    unjudged: runs - passed - failed,
    ...defined({
      expected_failures: counts.expectedFailures || undefined,
      skipped: counts.skipped || undefined,
      flaky: counts.flaky || undefined,
    }),
    duration_ms: Math.round(durationMs / Math.max(1, timed)),
    ...(cost !== undefined && !counts.isUnpriced && { cost: cost / runs }),
  }
}
