import { defined } from '../defined.ts'
import { percentOf } from '../statistics/percent.ts'
import { meanRate } from '../statistics/rate-difference.ts'
import { type Decision, decide } from '../statistics/sequential.ts'
import type { Interval } from '../statistics/wilson.ts'
import type { CaseStability } from './case-stability.ts'

/** What a run must reach, where not every run of every case must pass. Rates are 0 to 1. */
export interface Gates {
  /** The pass rate of each case. */
  case?: number
  /** How sure that must be: cases are then played until it is known. */
  confidence?: number
  /** The mean of the pass rates of all cases. */
  suite?: number
  /** Every case must be stable: all its runs pass, at their first attempt. */
  stable?: boolean
}

export interface GateOutcome {
  gate: 'case' | 'suite' | 'stable'
  required: number
  status: Decision
  /** Of those for cases: how many came to what. */
  reached?: number
  missed?: number
  undecided?: number
  /** Of that for the suite, in percent. */
  rate?: number
  interval?: Interval
}

/** What the gates make of the cases. */
export function judgeGates(gates: Gates, cases: readonly CaseStability[]): GateOutcome[] {
  const { case: rate, suite, stable = false } = gates
  return [
    ...(rate === undefined
      ? []
      : [
          ofCases(
            'case',
            rate,
            cases.map((each) => gateOf(gates, each)),
          ),
        ]),
    ...(suite === undefined ? [] : [ofSuite(suite, cases)]),
    ...(stable ? [ofCases('stable', 1, cases.map(isStable))] : []),
  ]
}

/** Whether a case reaches the gate of cases; undefined where there is none for it. */
export function gateOf({ case: gate, confidence }: Gates, stability: CaseStability): Decision | undefined {
  const trials = trialsOf(stability)
  if (gate === undefined || trials === undefined) return undefined
  if (trials.runs === 0) return 'undecided'
  if (confidence !== undefined) return decide({ gate, confidence }, trials)
  return trials.passed / trials.runs >= gate ? 'reached' : 'missed'
}

/** What was judged of a case. One that fails as its author says is behind no gate. */
function trialsOf({
  passed,
  failed,
  expectedFailures,
}: CaseStability): { runs: number; passed: number } | undefined {
  const runs = passed + failed - expectedFailures
  return runs === 0 && expectedFailures > 0 ? undefined : { runs, passed }
}

function isStable(stability: CaseStability): Decision | undefined {
  const trials = trialsOf(stability)
  if (trials === undefined) return undefined
  if (trials.runs === 0) return 'undecided'
  return trials.passed === trials.runs && stability.flaky === 0 ? 'reached' : 'missed'
}

function ofCases(
  gate: 'case' | 'stable',
  required: number,
  decisions: readonly (Decision | undefined)[],
): GateOutcome {
  const count = (wanted: Decision) => decisions.filter((decision) => decision === wanted).length
  const [reached, missed, undecided] = [count('reached'), count('missed'), count('undecided')]
  const status = missed > 0 ? 'missed' : undecided > 0 || reached === 0 ? 'undecided' : 'reached'
  return { gate, required, status, reached, missed, undecided }
}

function ofSuite(required: number, cases: readonly CaseStability[]): GateOutcome {
  const trials = cases.flatMap((each) => trialsOf(each) ?? []).filter(({ runs }) => runs > 0)
  const found = meanRate(trials)
  return {
    gate: 'suite',
    required,
    status: found === undefined ? 'undecided' : found.rate >= required ? 'reached' : 'missed',
    ...defined({
      rate: found && percentOf(found.rate, 1),
      interval: found && { low: percentOf(found.low, 1), high: percentOf(found.high, 1) },
    }),
  }
}
