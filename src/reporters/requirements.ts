import type { GateOutcome } from '../results/gates.ts'
import type { CompareVerdict, RunSummary } from '../results/summary.ts'
import { gateName, gateText } from './gate-text.ts'

/** What a run as a whole had to reach, beside its cases: gates, and not to be worse than another run. */
export interface Requirement {
  name: string
  /** What came of it. */
  text: string
  /** Broken: nobody can say. */
  outcome: 'passed' | 'failed' | 'broken'
}

export function requirementsOf({ gates = [], comparison }: RunSummary): Requirement[] {
  return [
    ...gates.map((gate) => ({
      name: `gate: ${gateName(gate)}`,
      text: `${gate.status}: ${gateText(gate)}`,
      outcome: ofGate(gate),
    })),
    ...(comparison === undefined
      ? []
      : [
          {
            name: `no regression against ${comparison.baseline}`,
            text: comparison.text,
            outcome: ofComparison(comparison.verdict),
          },
        ]),
  ]
}

/** Nobody knows whether one that is undecided is reached, so it is not. */
function ofGate({ status }: GateOutcome): Requirement['outcome'] {
  return status === 'reached' ? 'passed' : 'failed'
}

function ofComparison(verdict: CompareVerdict): Requirement['outcome'] {
  if (verdict === 'regression') return 'failed'
  return verdict === 'incomplete' || verdict === 'nothing compared' ? 'broken' : 'passed'
}
