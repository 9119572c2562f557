import { defined } from '../json/defined.ts'
import type { CaseStability } from './case-stability.ts'
import type { Key } from './key.ts'
import { outputDigest } from './output-digest.ts'
import { type CaseResult, isExpectedFailure, notRecorded } from './result.ts'
import { classifyStability } from './stability-class.ts'
import type { Trials } from './statistics/pass-k.ts'
import { toPercent } from './statistics/percent.ts'
import { findQuantile } from './statistics/quantile.ts'
import { computeSpread, modalShare } from './statistics/spread.ts'
import { type Interval, wilsonInterval } from './statistics/wilson.ts'
import { isSkip } from './trial.ts'
import { addUsages, totalCost, totalTokens, type UsageByRole } from './usage.ts'

interface Seen
  extends Omit<
    CaseStability,
    'file' | 'id' | 'variant' | 'name' | 'durations' | 'tokens' | 'cost' | 'passRate' | 'interval'
  > {
  first: CaseResult['key'] & { name?: string }
  durations: number[]
  outputs: string[]
  usage: UsageByRole
}

/** Groups results by case, in the order of their first run. */
export class StabilityTally {
  readonly #seen = new Map<string, Seen>()

  add(result: CaseResult): void {
    const text = caseText(result.key)
    let seen = this.#seen.get(text)
    if (seen === undefined) {
      seen = emptySeen(result)
      this.#seen.set(text, seen)
    }
    seen.usage = addUsages(seen.usage, result.usage)
    // An attempt that was retried counts only for cost and tokens.
    if (result.retrying) return
    seen.runs += 1
    if (result.expectedFailure !== undefined) seen.known = true
    const ended = result.status === 'passed' || result.status === 'failed'
    if (ended) seen.durations.push(result.durationMs)
    if (result.status === 'passed') seen.passed += 1
    else if (result.status === 'failed' && result.fault === 'agent') {
      const kind = result.failure?.kind ?? 'unknown'
      seen.failed += 1
      seen.failureKinds[kind] = (seen.failureKinds[kind] ?? 0) + 1
      if (isExpectedFailure(result)) seen.expectedFailures += 1
    } else {
      seen.unjudged += 1
      if (result.status === 'failed' && result.fault === 'infrastructure') seen.infrastructureErrors += 1
      if (isSkip(result)) seen.skipped += 1
      return
    }
    if (result.flaky) seen.flaky += 1
    const last = result.view.turns.at(-1)?.reply
    if (last !== undefined && last.output !== notRecorded) seen.outputs.push(outputDigest(last.output))
  }

  cases(): CaseStability[] {
    return [...this.#seen.values()].map(summarizeStability)
  }

  /** The number of results of a case. */
  runsOf(key: Key): number {
    return this.#seen.get(caseText(key))?.runs ?? 0
  }

  of(key: Key): CaseStability | undefined {
    const seen = this.#seen.get(caseText(key))
    return seen && summarizeStability(seen)
  }
}

/** The judged runs of each case, without cases that are expected to fail or could not be judged. */
export function listTrials(cases: readonly CaseStability[]): Trials[] {
  return cases
    .filter(({ known }) => !known)
    .map(({ passed, failed }) => ({ passed, runs: passed + failed }))
    .filter(({ runs }) => runs > 0)
}

export async function tallyStability(results: AsyncIterable<CaseResult>): Promise<StabilityTally> {
  const tally = new StabilityTally()
  for await (const result of results) tally.add(result)
  return tally
}

function emptySeen({ key, name }: CaseResult): Seen {
  return {
    first: { ...key, ...defined({ name }) },
    runs: 0,
    passed: 0,
    failed: 0,
    expectedFailures: 0,
    known: false,
    unjudged: 0,
    infrastructureErrors: 0,
    skipped: 0,
    flaky: 0,
    failureKinds: {},
    durations: [],
    outputs: [],
    usage: {},
  }
}

function summarizeStability({ first, durations, outputs, usage, ...counts }: Seen): CaseStability {
  const judged = counts.passed + counts.failed
  const passRate = judged === 0 ? undefined : toPercent(counts.passed, judged)
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (share: number) => findQuantile(sorted, share) ?? 0
  return {
    file: first.file,
    id: first.id,
    variant: first.variant,
    ...defined({ name: first.name }),
    ...counts,
    ...(passRate !== undefined && {
      passRate,
      interval: inPercent(wilsonInterval(counts.passed, judged)),
      stability: classifyStability(passRate),
    }),
    ...(outputs.length > 0 && { consistency: Math.round(modalShare(outputs) * 100) / 100 }),
    durations: {
      ...(sorted.length === 0 ? noTime : computeSpread(sorted)),
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
    },
    ...defined({ tokens: totalTokens(usage), cost: totalCost(usage) }),
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
