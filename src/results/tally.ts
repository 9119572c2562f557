import { defined } from '../json/defined.ts'
import { NumberColumn } from './columns/number-column.ts'
import type { Key } from './key.ts'
import type { ResultLine } from './line-schema.ts'
import type { PlannedResults } from './planned-results.ts'
import { type CaseResult, type Fault, isExpectedFailure, type Origin } from './result.ts'
import { toPercent } from './statistics/percent.ts'
import type { Counts, RunSummary } from './summary.ts'
import { addUsages, type UsageByRole } from './usage.ts'
import { usageFromLine } from './usage-line.ts'

/** What is counted of a result. */
interface Outcome {
  status: CaseResult['status']
  fault: CaseResult['fault']
  origin: Origin | undefined
  unchecked: boolean
  flaky: boolean
  expected: boolean
  turns: number
}

/** Counts the results of a plan. The last result of each key counts; results outside the plan do not. */
export class Tally {
  readonly #plan: PlannedResults
  /** By the number of the key: the number of its outcome in `#outcomes`, from 1. */
  readonly #seen = new NumberColumn()
  /** A run may have 100,000 results, but few different outcomes. */
  readonly #outcomes: Outcome[] = []
  readonly #numbers = new Map<string, number>()

  /** Whether each result that was added counts: none was repeated or is outside the plan. */
  countsAll = true

  /** By variant. */
  readonly #spent = new Map<string, UsageByRole>()

  constructor(plan: PlannedResults) {
    this.#plan = plan
  }

  add(result: CaseResult): void {
    const { key, caseHash, usage, status, fault, origin, unchecked, flaky = false } = result
    const expected = isExpectedFailure(result)
    const turns = result.view.turns.length
    this.#add(key, caseHash, usage, { status, fault, origin, unchecked, flaky, expected, turns })
  }

  addLine(line: ResultLine): void {
    const { case_hash: hash, status, fault, origin, total_turns: turns } = line
    const { unchecked = false, flaky = false } = line
    const expected = isExpectedFailure({
      status,
      ...defined({ fault, expectedFailure: line.expected_failure }),
    })
    const outcome = { status, fault, origin, unchecked, flaky, expected, turns }
    this.#add(line, hash, usageFromLine(line.usage), outcome)
  }

  #add(key: Key, hash: string, usage: UsageByRole, outcome: Outcome): void {
    const number = this.#plan.find(key, hash)
    if (number === undefined) {
      this.countsAll = false
      return
    }
    if (this.#seen.get(number) !== 0) this.countsAll = false
    this.#spent.set(key.variant, addUsages(this.#spent.get(key.variant) ?? {}, usage))
    this.#seen.set(number, this.#numberOf(outcome))
  }

  #numberOf(outcome: Outcome): number {
    const { status, fault, origin, unchecked, flaky, expected, turns } = outcome
    const text = `${status} ${fault} ${origin} ${unchecked} ${flaky} ${expected} ${turns}`
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    const number = this.#outcomes.push(outcome)
    this.#numbers.set(text, number)
    return number
  }

  summary(durationMs: number): RunSummary {
    const byVariant = this.#countOutcomes()
    const variants = [...byVariant].map(
      ([name, own]) => [name, sumOutcomes(own, this.#spent.get(name) ?? {})] as const,
    )
    const all = [...byVariant.values()].flat()
    const seen = all.filter(({ outcome }) => outcome !== undefined)
    return {
      total: sumCounts(all),
      ...sumOutcomes(all, [...this.#spent.values()].reduce(addUsages, {})),
      flaky: sumCounts(seen.filter(({ outcome }) => outcome?.flaky)),
      totalTurns: seen.reduce((sum, { outcome, count }) => sum + (outcome?.turns ?? 0) * count, 0),
      durationMs,
      ...(byVariant.size > 1 && { variants: Object.fromEntries(variants) }),
    }
  }

  /** How often each outcome occurred, by variant. What turned out not to be needed has left the plan. */
  #countOutcomes(): Map<string, OutcomeCount[]> {
    const byVariant = new Map<string, Map<number, number>>()
    for (const { number, key } of this.#plan.keys()) {
      const counts = byVariant.get(key.variant) ?? new Map<number, number>()
      const outcome = this.#seen.get(number)
      byVariant.set(key.variant, counts.set(outcome, (counts.get(outcome) ?? 0) + 1))
    }
    const listed = (counts: Map<number, number>) =>
      [...counts].map(([number, count]) => ({ outcome: this.#outcomes[number - 1], count }))
    return new Map([...byVariant].map(([variant, counts]) => [variant, listed(counts)]))
  }
}

interface OutcomeCount {
  /** Undefined for results that are missing. */
  outcome: Outcome | undefined
  count: number
}

function sumCounts(counts: readonly OutcomeCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}

function sumOutcomes(outcomes: readonly OutcomeCount[], usage: UsageByRole): Counts {
  const count = (isWanted: (outcome: Outcome) => boolean) =>
    sumCounts(outcomes.filter(({ outcome }) => outcome !== undefined && isWanted(outcome)))
  const ended = (wanted: CaseResult['status']) =>
    count(({ status, expected }) => status === wanted && !expected)
  const failuresOf = (wanted: Fault) => count(({ status, fault }) => status === 'failed' && fault === wanted)
  const origin = outcomes.find(({ outcome }) => outcome?.origin !== undefined)?.outcome?.origin
  return {
    ...defined({ origin }),
    passed: ended('passed'),
    failed: ended('failed'),
    skipped: ended('skipped'),
    interrupted: ended('interrupted'),
    expectedFailures: count(({ expected }) => expected),
    notRun: sumCounts(outcomes) - count(({ status }) => status !== 'not_run'),
    unchecked: count(({ unchecked, status }) => unchecked && status === 'passed'),
    infrastructureErrors: failuresOf('infrastructure'),
    vivaFailures: failuresOf('viva'),
    infrastructureSkips: count(({ status, fault }) => status === 'skipped' && fault === 'infrastructure'),
    usage,
  }
}

type Failures = Pick<Counts, 'failed' | 'infrastructureErrors' | 'vivaFailures'>

/** The failures that are the agent's fault. */
export function agentFailures({ failed, infrastructureErrors, vivaFailures }: Failures): number {
  return failed - infrastructureErrors - vivaFailures
}

/** Percentage of the results that could be judged; undefined when none could, or they are not of a live run. */
export function passRate(counts: Failures & Pick<Counts, 'passed' | 'origin'>): number | undefined {
  if (counts.origin !== undefined) return undefined
  const judged = counts.passed + agentFailures(counts)
  return judged === 0 ? undefined : toPercent(counts.passed, judged)
}

/** The number of missing results: of cases that did not run, or did not finish. */
export function missingResults({ notRun, interrupted }: Pick<Counts, 'notRun' | 'interrupted'>): number {
  return notRun + interrupted
}

/** Whether the gates allow the failures: the run is complete, and every gate is reached. */
export function failuresAreAllowed(summary: RunSummary): boolean {
  const { gates } = summary
  return (
    gates !== undefined && missingResults(summary) === 0 && gates.every(({ status }) => status === 'reached')
  )
}

/**
 * Exit codes: 0 passed, 1 some case failed, 2 nothing was judged, 3 only infrastructure errors prevented a verdict.
 * `tolerated` is the share of infrastructure errors that is accepted; a bug in viva never is.
 */
export function computeExitCode(summary: RunSummary, tolerated = 0): number {
  const gates = summary.gates?.map(({ status }) => status)
  const comparison = summary.comparison?.verdict
  const someFailed = summary.failed > summary.infrastructureErrors + summary.vivaFailures
  const incomplete = missingResults(summary) > 0
  // In a complete run the gates decide how many may fail; without gates, none may.
  if (gates === undefined || incomplete ? someFailed : gates.includes('missed')) return 1
  if (gates?.includes('missed') || summary.overBudget !== undefined || comparison === 'regression') return 1
  if (summary.vivaFailures > 0) return 3
  const infrastructure = summary.infrastructureErrors + summary.infrastructureSkips
  if (infrastructure > summary.total * tolerated) return 3
  // Whatever is tolerated, a run in which nothing could be judged is not green.
  if (summary.passed + summary.expectedFailures + (summary.carriedOver ?? 0) === 0)
    return infrastructure > 0 ? 3 : 2
  if (incomplete || comparison === 'incomplete' || comparison === 'nothing compared') return 3
  // A gate that could not be decided is not reached.
  return gates?.includes('undecided') ? 1 : 0
}
