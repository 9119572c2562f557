import { defined } from '../json/defined.ts'
import type { CarriedOver } from './carried-over.ts'
import type { CaseStability } from './case-stability.ts'
import { meanRate } from './statistics/mean-rate.ts'
import type { Trials } from './statistics/pass-k.ts'
import { toPercent } from './statistics/percent.ts'
import { type Decision, decide } from './statistics/sequential.ts'
import type { Interval } from './statistics/wilson.ts'

/** What a run must reach, if not every run of every case has to pass. Rates are 0 to 1. */
export interface Gates {
  /** The pass rate of each case. */
  case?: number
  /** How certain the answer must be: cases are run until it is. */
  confidence?: number
  /** The mean of the pass rates of all cases. */
  suite?: number
  /** Every case must be stable: all its runs pass at the first attempt. */
  stable?: boolean
}

export interface GateOutcome {
  gate: 'case' | 'suite' | 'stable'
  /** With several variants, each must reach the gate. */
  variant?: string
  required: number
  status: Decision
  /** For gates on cases: the number of cases with each status. */
  reached?: number
  missed?: number
  undecided?: number
  /** Cases that could not be judged; the rules for infrastructure errors apply to them. */
  unjudged?: number
  /** Cases that did not run, because they were carried over: they are in none of the figures. */
  carried_over?: number
  /** For the gate on the suite, in percent. */
  rate?: number
  interval?: Interval
}

/** Rates are sums of fractions: a rate equal to the gate must not miss it by a rounding error. */
const almost = 1e-9

/** Whether a pass rate is enough for a gate. */
export function reachesGate(gate: number, rate: number): boolean {
  return rate >= gate - almost
}

/** Applies the gates to the cases. In an incomplete run no gate counts as reached. */
export function judgeGates(
  gates: Gates,
  cases: Iterable<CaseStability>,
  { isComplete, carriedOver = [] }: { isComplete: boolean; carriedOver?: readonly CarriedOver[] },
): GateOutcome[] {
  const gated = listGated(cases)
  // Only skipped cases have run: what was carried over has reached its gates before.
  if (gated.length === 0 && carriedOver.length > 0) return []
  const judged = judgeCompleted(gates, gated).map((gate) => {
    const count = carriedOver.filter(([, , variant]) => (gate.variant ?? variant) === variant).length
    return count === 0 ? gate : { ...gate, carried_over: count }
  })
  if (isComplete) return judged
  return judged.map((gate) => (gate.status === 'reached' ? { ...gate, status: 'undecided' } : gate))
}

/** What gates look at. */
type GatedCase = Pick<CaseStability, 'variant' | 'runs' | 'passed' | 'failed' | 'known' | 'skipped' | 'flaky'>

function listGated(cases: Iterable<CaseStability>): GatedCase[] {
  const gated: GatedCase[] = []
  for (const { variant, runs, passed, failed, known, skipped, flaky } of cases) {
    const own = { variant, runs, passed, failed, known, skipped, flaky }
    if (isGated(own)) gated.push(own)
  }
  return gated
}

function judgeCompleted(gates: Gates, gated: readonly GatedCase[]): GateOutcome[] {
  const { case: rate, suite, stable = false } = gates
  const variants = [...new Set(gated.map(({ variant }) => variant))]
  const decided = (by: typeof decideCaseGate) => gated.map((each) => by(gates, each))
  return [
    ...(rate === undefined ? [] : [summarizeCaseGate('case', rate, decided(decideCaseGate))]),
    ...(suite === undefined
      ? []
      : variants.map((variant) => {
          const own = gated.filter((each) => each.variant === variant)
          return judgeSuiteGate(suite, own, variants.length > 1 ? variant : undefined)
        })),
    ...(stable ? [summarizeCaseGate('stable', 1, decided(decideStableGate))] : []),
  ]
}

/** Whether a case reaches the gate on cases; undefined if there is none for it, or nothing could be judged. */
export function decideCaseGate(
  { case: gate, confidence }: Gates,
  stability: GatedCase,
): Decision | undefined {
  const trials = judgedTrials(stability)
  if (gate === undefined || !isGated(stability) || trials.runs === 0) return undefined
  if (confidence !== undefined) return decide({ gate, confidence }, trials)
  return reachesGate(gate, trials.passed / trials.runs) ? 'reached' : 'missed'
}

/** Gates do not apply to expected failures and skipped cases. */
function isGated({ known, skipped, runs }: GatedCase): boolean {
  return !known && skipped < runs
}

function judgedTrials({ passed, failed }: GatedCase): Trials {
  return { runs: passed + failed, passed }
}

/** Whether a case reaches the gate on stability; undefined if there is none for it, or nothing could be judged. */
export function decideStableGate({ stable = false }: Gates, stability: GatedCase): Decision | undefined {
  const { runs, passed } = judgedTrials(stability)
  if (!stable || !isGated(stability) || runs === 0) return undefined
  return passed === runs && stability.flaky === 0 ? 'reached' : 'missed'
}

function summarizeCaseGate(
  gate: 'case' | 'stable',
  required: number,
  decisions: readonly (Decision | undefined)[],
): GateOutcome {
  const count = (wanted: Decision | undefined) => decisions.filter((decision) => decision === wanted).length
  const [reached, missed, undecided] = [count('reached'), count('missed'), count('undecided')]
  const status = missed > 0 ? 'missed' : undecided > 0 || reached === 0 ? 'undecided' : 'reached'
  return { gate, required, status, reached, missed, undecided, unjudged: count(undefined) }
}

function judgeSuiteGate(
  required: number,
  cases: readonly GatedCase[],
  variant: string | undefined,
): GateOutcome {
  const judged = cases.map(judgedTrials).filter(({ runs }) => runs > 0)
  const found = meanRate(judged)
  return {
    gate: 'suite',
    ...defined({ variant }),
    required,
    status: found === undefined ? 'undecided' : reachesGate(required, found.rate) ? 'reached' : 'missed',
    unjudged: cases.length - judged.length,
    ...defined({
      rate: found && toPercent(found.rate, 1),
      interval: found && { low: toPercent(found.low, 1), high: toPercent(found.high, 1) },
    }),
  }
}
