import { defined } from '../json/defined.ts'
import { type ItemList, LazyList } from '../json/lazy-list.ts'
import type { CaseStability } from './case-stability.ts'
import { AmountColumn } from './columns/amount-column.ts'
import { KeyNumbers } from './columns/key-numbers.ts'
import { ListColumn } from './columns/list-column.ts'
import { NumberColumn } from './columns/number-column.ts'
import { anyRun, type Key } from './key.ts'
import { outputDigest } from './output-digest.ts'
import { type CaseResult, isExpectedFailure, notRecorded, type Origin } from './result.ts'
import { classifyStability } from './stability-class.ts'
import type { Trials } from './statistics/pass-k.ts'
import { toPercent } from './statistics/percent.ts'
import { findQuantile } from './statistics/quantile.ts'
import { computeSpread, modalShare } from './statistics/spread.ts'
import { type Interval, wilsonInterval } from './statistics/wilson.ts'
import { isSkip } from './trial.ts'
import { isUnpriced, totalCost, totalTokens, type UsageByRole } from './usage.ts'

/** Groups results by case, in the order of their first run. */
export class StabilityTally {
  /** Numbers the cases with their variants. */
  readonly #numbers = new KeyNumbers()
  readonly #names = new Map<number, string>()
  readonly #origins = new Map<number, Origin>()
  readonly #runs = new NumberColumn()
  readonly #passed = new NumberColumn()
  readonly #failed = new NumberColumn()
  readonly #expectedFailures = new NumberColumn()
  /** 1 for cases that are expected to fail. */
  readonly #known = new NumberColumn()
  readonly #infrastructureErrors = new NumberColumn()
  readonly #skipped = new NumberColumn()
  readonly #flaky = new NumberColumn()
  readonly #failureKinds = new Map<number, Record<string, number>>()
  readonly #durations = new ListColumn()
  /** The number of each output: equal outputs have the same. */
  readonly #outputs = new ListColumn()
  readonly #outputNumbers = new Map<string, number>()
  readonly #spending = new CaseSpending()

  add(result: CaseResult): void {
    const { name, status, usage, origin } = result
    const number = this.#numbers.add(anyRun(result.key))
    if (name !== undefined && !this.#names.has(number)) this.#names.set(number, name)
    if (origin !== undefined) this.#origins.set(number, origin)
    this.#spending.add(number, usage)
    // An attempt that was retried counts only for cost and tokens.
    if (result.retrying) return
    this.#runs.add(number, 1)
    if (result.expectedFailure !== undefined) this.#known.set(number, 1)
    const isFailed = status === 'failed' && result.fault === 'agent'
    if (status === 'passed' || status === 'failed') this.#durations.push(number, result.durationMs)
    if (status === 'passed') this.#passed.add(number, 1)
    if (isFailed) this.#addFailure(number, result)
    if (status === 'failed' && result.fault === 'infrastructure') this.#infrastructureErrors.add(number, 1)
    if (isSkip(result)) this.#skipped.add(number, 1)
    if (status !== 'passed' && !isFailed) return
    if (result.flaky) this.#flaky.add(number, 1)
    const last = result.view.turns.at(-1)?.reply
    if (last !== undefined && last.output !== notRecorded) this.#addOutput(number, outputDigest(last.output))
  }

  #addFailure(number: number, result: CaseResult): void {
    const kind = result.failure?.kind ?? 'unknown'
    const kinds = this.#failureKinds.get(number) ?? {}
    kinds[kind] = (kinds[kind] ?? 0) + 1
    this.#failureKinds.set(number, kinds)
    this.#failed.add(number, 1)
    if (isExpectedFailure(result)) this.#expectedFailures.add(number, 1)
  }

  #addOutput(number: number, digest: string): void {
    const known = this.#outputNumbers.get(digest) ?? this.#outputNumbers.size
    this.#outputNumbers.set(digest, known)
    this.#outputs.push(number, known)
  }

  cases(): ItemList<CaseStability> {
    return new LazyList(this.#numbers.size, (number) => this.#summarize(number))
  }

  /** The number of results of a case. */
  runsOf(key: Key): number {
    const number = this.#numbers.find(anyRun(key))
    return number === undefined ? 0 : this.#runs.get(number)
  }

  of(key: Key): CaseStability | undefined {
    const number = this.#numbers.find(anyRun(key))
    return number === undefined ? undefined : this.#summarize(number)
  }

  #summarize(number: number): CaseStability {
    const { file, id, variant } = this.#numbers.key(number)
    const runs = this.#runs.get(number)
    const passed = this.#passed.get(number)
    const failed = this.#failed.get(number)
    const outputs = this.#outputs.list(number)
    const origin = this.#origins.get(number)
    return {
      file,
      id,
      variant,
      ...defined({ name: this.#names.get(number), origin }),
      runs,
      passed,
      failed,
      expectedFailures: this.#expectedFailures.get(number),
      known: this.#known.get(number) === 1,
      unjudged: runs - passed - failed,
      infrastructureErrors: this.#infrastructureErrors.get(number),
      skipped: this.#skipped.get(number),
      flaky: this.#flaky.get(number),
      failureKinds: this.#failureKinds.get(number) ?? {},
      ...(origin === undefined && rateFields(passed, passed + failed)),
      ...(outputs.length > 0 && { consistency: Math.round(modalShare(outputs) * 100) / 100 }),
      durations: summarizeDurations(this.#durations.list(number)),
      ...this.#spending.fields(number),
    }
  }
}

/** What the runs and attempts of each case have spent together. */
class CaseSpending {
  readonly #tokens = new AmountColumn()
  readonly #cost = new AmountColumn()
  /** 1 for cases with calls whose cost is unknown. */
  readonly #unpriced = new NumberColumn()

  add(number: number, usage: UsageByRole): void {
    const [tokens, cost] = [totalTokens(usage), totalCost(usage)]
    if (tokens !== undefined) this.#tokens.add(number, tokens)
    if (cost !== undefined) this.#cost.add(number, cost)
    if (isUnpriced(usage)) this.#unpriced.set(number, 1)
  }

  fields(number: number): Pick<CaseStability, 'tokens' | 'cost'> {
    const isKnown = this.#unpriced.get(number) === 0
    return defined({
      tokens: this.#tokens.get(number),
      cost: isKnown ? this.#cost.get(number) : undefined,
    })
  }
}

/** The judged live runs of each case, without cases that are expected to fail or could not be judged. */
export function listTrials(cases: Iterable<CaseStability>): Trials[] {
  const trials: Trials[] = []
  for (const { known, passed, failed, origin } of cases)
    if (!known && passed + failed > 0 && origin === undefined) trials.push({ passed, runs: passed + failed })
  return trials
}

/** The share of the judged runs that passed, also of runs that are not live: fit to sort cases by, not to be reported. */
export function passedShare({ passed, failed }: CaseStability): number | undefined {
  return passed + failed === 0 ? undefined : passed / (passed + failed)
}

export async function tallyStability(results: AsyncIterable<CaseResult>): Promise<StabilityTally> {
  const tally = new StabilityTally()
  for await (const result of results) tally.add(result)
  return tally
}

function rateFields(passed: number, judged: number): Partial<CaseStability> {
  if (judged === 0) return {}
  const passRate = toPercent(passed, judged)
  return {
    passRate,
    interval: inPercent(wilsonInterval(passed, judged)),
    stability: classifyStability(passRate),
  }
}

function summarizeDurations(durations: readonly number[]): CaseStability['durations'] {
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (share: number) => findQuantile(sorted, share) ?? 0
  return {
    ...(sorted.length === 0 ? noTime : computeSpread(sorted)),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  }
}

const noTime = { average: 0, least: 0, most: 0, deviation: 0 }

function inPercent({ low, high }: Interval): Interval {
  return { low: Math.round(low * 1000) / 10, high: Math.round(high * 1000) / 10 }
}

/** Identifies one case with one variant, whatever the run. */
export function caseText({ file, id, variant }: Pick<Key, 'file' | 'id' | 'variant'>): string {
  return JSON.stringify([file, id, variant])
}
