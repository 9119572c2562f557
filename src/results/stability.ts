import { createHash } from 'node:crypto'
import { defined } from '../defined.ts'
import { sortedJson } from '../json.ts'
import type { Trials } from '../statistics/pass-k.ts'
import { percentOf } from '../statistics/percent.ts'
import { quantileOf } from '../statistics/quantile.ts'
import { agreementOf, spreadOf } from '../statistics/spread.ts'
import { type Interval, wilson } from '../statistics/wilson.ts'
import type { CaseStability } from './case-stability.ts'
import type { Key } from './key.ts'
import { type CaseResult, isExpected } from './result.ts'
import { stabilityOf } from './stability-class.ts'
import { addUsages, totalCost, totalTokens, type UsageByRole } from './usage.ts'

interface Seen {
  first: CaseResult['key'] & { name?: string }
  passed: number
  failed: number
  expectedFailures: number
  unjudged: number
  worldFailures: number
  flaky: number
  failureKinds: Record<string, number>
  durations: number[]
  outputs: string[]
  usage: UsageByRole
}

/** Gathers the runs of each case as results pass by, in the order in which cases first come. */
export class StabilityTally {
  readonly #seen = new Map<string, Seen>()

  add(result: CaseResult): void {
    const text = caseText(result.key)
    let seen = this.#seen.get(text)
    if (seen === undefined) {
      seen = nothingSeen(result)
      this.#seen.set(text, seen)
    }
    seen.durations.push(result.durationMs)
    seen.usage = addUsages(seen.usage, result.usage)
    if (result.status === 'passed') seen.passed += 1
    else if (result.status === 'failed' && result.fault === 'agent') {
      const kind = result.failure?.kind ?? 'unknown'
      seen.failed += 1
      seen.failureKinds[kind] = (seen.failureKinds[kind] ?? 0) + 1
      if (isExpected(result)) seen.expectedFailures += 1
    } else {
      seen.unjudged += 1
      if (result.status === 'failed' && result.fault === 'world') seen.worldFailures += 1
      return
    }
    if (result.flaky) seen.flaky += 1
    const last = result.view.turns.at(-1)?.reply
    if (last !== undefined) seen.outputs.push(normalised(last.output))
  }

  cases(): CaseStability[] {
    return [...this.#seen.values()].map(stability)
  }

  /** How many results there are of a case. */
  runsOf(key: Key): number {
    return this.#seen.get(caseText(key))?.durations.length ?? 0
  }

  of(key: Key): CaseStability | undefined {
    const seen = this.#seen.get(caseText(key))
    return seen && stability(seen)
  }
}

/** What was judged of each case, where anything was. */
export function trialsIn(cases: readonly CaseStability[]): Trials[] {
  return cases.map(({ passed, failed }) => ({ passed, runs: passed + failed })).filter(({ runs }) => runs > 0)
}

export async function stabilityOver(results: AsyncIterable<CaseResult>): Promise<StabilityTally> {
  const tally = new StabilityTally()
  for await (const result of results) tally.add(result)
  return tally
}

function nothingSeen({ key, name }: CaseResult): Seen {
  return {
    first: { ...key, ...defined({ name }) },
    passed: 0,
    failed: 0,
    expectedFailures: 0,
    unjudged: 0,
    worldFailures: 0,
    flaky: 0,
    failureKinds: {},
    durations: [],
    outputs: [],
    usage: {},
  }
}

function stability({ first, durations, outputs, usage, ...counts }: Seen): CaseStability {
  const judged = counts.passed + counts.failed
  const passRate = judged === 0 ? undefined : percentOf(counts.passed, judged)
  const sorted = durations.toSorted((one, other) => one - other)
  const at = (share: number) => quantileOf(sorted, share) ?? 0
  return {
    file: first.file,
    id: first.id,
    variant: first.variant,
    ...defined({ name: first.name }),
    runs: durations.length,
    ...counts,
    ...(passRate !== undefined && {
      passRate,
      interval: inPercent(wilson(counts.passed, judged)),
      stability: stabilityOf(passRate),
    }),
    ...(outputs.length > 0 && { consistency: Math.round(agreementOf(outputs) * 100) / 100 }),
    durations: { ...spreadOf(durations), p50: at(0.5), p95: at(0.95), p99: at(0.99) },
    ...defined({ tokens: totalTokens(usage), cost: totalCost(usage) }),
  }
}

function inPercent({ low, high }: Interval): Interval {
  return { low: Math.round(low * 1000) / 10, high: Math.round(high * 1000) / 10 }
}

/** One case against one variant, whichever run. */
export function caseText({ file, id, variant }: Pick<Key, 'file' | 'id' | 'variant'>): string {
  return JSON.stringify([file, id, variant])
}

/** Outputs that a reader would call the same are the same text; a digest of it takes no room. */
function normalised(output: unknown): string {
  const text = typeof output === 'string' ? output.trim().replace(/\s+/g, ' ') : sortedJson(output)
  return createHash('sha256').update(text).digest('base64')
}
