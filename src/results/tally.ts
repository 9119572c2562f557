import { defined } from '../json/defined.ts'
import { type Key, keyText, parseResultName } from './key.ts'
import type { ResultLine } from './line-schema.ts'
import { type CaseResult, type Fault, isExpectedFailure } from './result.ts'
import { toPercent } from './statistics/percent.ts'
import type { Counts, RunSummary } from './summary.ts'
import { addUsages, type UsageByRole } from './usage.ts'
import { usageFromLine } from './usage-line.ts'

/** Every key that must have a result, with the hash of its case. */
export type PlannedResults = ReadonlyMap<string, string>

/** What is counted of a result. */
interface Outcome {
  status: CaseResult['status']
  fault: CaseResult['fault']
  unchecked: boolean
  flaky: boolean
  expected: boolean
  turns: number
}

/** Counts the results of a plan. The last result of each key counts; results outside the plan do not. */
export class Tally {
  readonly #hashes: PlannedResults
  /** The place of each key in `#seen`. It shares the texts of the plan, which take more memory than all the rest. */
  readonly #places = new Map<string, number>()
  readonly #seen: (Outcome | undefined)[]
  /** One object for all results with the same outcome: a run may have 100,000 results, but few outcomes. */
  readonly #outcomes = new Map<string, Outcome>()

  /** Whether each result that was added counts: none was repeated or is outside the plan. */
  countsAll = true

  /** By variant. */
  readonly #spent = new Map<string, UsageByRole>()

  constructor(plan: PlannedResults) {
    this.#hashes = plan
    for (const key of plan.keys()) this.#places.set(key, this.#places.size)
    this.#seen = Array.from({ length: plan.size })
  }

  add(result: CaseResult): void {
    const { key, caseHash, usage, status, fault, unchecked, flaky = false } = result
    const expected = isExpectedFailure(result)
    const turns = result.view.turns.length
    this.#add(key, caseHash, usage, { status, fault, unchecked, flaky, expected, turns })
  }

  addLine(line: ResultLine): void {
    const { case_hash: hash, status, fault, unchecked = false, flaky = false, total_turns: turns } = line
    const expected = isExpectedFailure({
      status,
      ...defined({ fault, expectedFailure: line.expected_failure }),
    })
    this.#add(line, hash, usageFromLine(line.usage), { status, fault, unchecked, flaky, expected, turns })
  }

  #add(key: Key, hash: string, usage: UsageByRole, outcome: Outcome): void {
    const text = keyText(key)
    const place = this.#places.get(text)
    if (place === undefined || this.#hashes.get(text) !== hash) {
      this.countsAll = false
      return
    }
    if (this.#seen[place] !== undefined) this.countsAll = false
    this.#spent.set(key.variant, addUsages(this.#spent.get(key.variant) ?? {}, usage))
    const { status, fault, unchecked, flaky, expected, turns } = outcome
    const outcomeText = `${status} ${fault} ${unchecked} ${flaky} ${expected} ${turns}`
    const known = this.#outcomes.get(outcomeText) ?? outcome
    this.#outcomes.set(outcomeText, known)
    this.#seen[place] = known
  }

  summary(durationMs: number): RunSummary {
    const byVariant = new Map<string, (Outcome | undefined)[]>()
    const all: (Outcome | undefined)[] = []
    // What turned out not to be needed has left the plan.
    for (const key of this.#hashes.keys()) {
      const outcome = this.#seen[this.#places.get(key) ?? -1]
      const [, , variant] = parseResultName(key)
      const own = byVariant.get(variant) ?? []
      byVariant.set(variant, own)
      own.push(outcome)
      all.push(outcome)
    }
    const variants = [...byVariant].map(
      ([name, own]) => [name, countOutcomes(own, this.#spent.get(name) ?? {})] as const,
    )
    const seen = all.filter((outcome) => outcome !== undefined)
    return {
      total: all.length,
      ...countOutcomes(all, [...this.#spent.values()].reduce(addUsages, {})),
      flaky: seen.filter(({ flaky }) => flaky).length,
      totalTurns: seen.reduce((sum, { turns }) => sum + turns, 0),
      durationMs,
      ...(byVariant.size > 1 && { variants: Object.fromEntries(variants) }),
    }
  }
}

/** `undefined` for each result that is missing. */
function countOutcomes(outcomes: readonly (Outcome | undefined)[], usage: UsageByRole): Counts {
  const results = outcomes.filter((outcome) => outcome !== undefined)
  const count = (status: CaseResult['status']) =>
    results.filter((result) => result.status === status && !result.expected).length
  const failuresOf = (fault: Fault) =>
    results.filter((result) => result.status === 'failed' && result.fault === fault).length
  const finished = results.filter(({ status }) => status !== 'not_run').length
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    interrupted: count('interrupted'),
    expectedFailures: results.filter((result) => result.expected).length,
    notRun: outcomes.length - finished,
    unchecked: results.filter((result) => result.unchecked && result.status === 'passed').length,
    infrastructureErrors: failuresOf('infrastructure'),
    vivaFailures: failuresOf('viva'),
    infrastructureSkips: results.filter(
      (result) => result.status === 'skipped' && result.fault === 'infrastructure',
    ).length,
    usage,
  }
}

type Failures = Pick<Counts, 'failed' | 'infrastructureErrors' | 'vivaFailures'>

/** The failures that are the agent's fault. */
export function agentFailures({ failed, infrastructureErrors, vivaFailures }: Failures): number {
  return failed - infrastructureErrors - vivaFailures
}

/** Percentage of the results that could be judged; undefined when none could. */
export function passRate(counts: Failures & Pick<Counts, 'passed'>): number | undefined {
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
  if (summary.passed + summary.expectedFailures === 0) return infrastructure > 0 ? 3 : 2
  if (incomplete || comparison === 'incomplete' || comparison === 'nothing compared') return 3
  // A gate that could not be decided is not reached.
  return gates?.includes('undecided') ? 1 : 0
}
