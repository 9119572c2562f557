import { compact } from '../json/defined.ts'
import type { GateOutcome } from '../results/gates.ts'
import type { CompareVerdict, RunSummary } from '../results/summary.ts'
import { missingResults } from '../results/tally.ts'
import { gateName, gateResultText } from './gate-text.ts'

/** Something the run as a whole has to achieve: a gate, or not being worse than another run. */
export interface Requirement {
  name: string
  /** The result, in words. */
  text: string
  /** `broken`: it could not be decided. */
  outcome: 'passed' | 'failed' | 'broken'
}

export function listRequirements(summary: RunSummary): Requirement[] {
  const { gates = [], comparison } = summary
  const isComplete = missingResults(summary) === 0
  return compact([
    ...gates.map((gate) => ({
      name: `gate: ${gateName(gate)}`,
      text: gateResultText(gate),
      outcome: classifyGate(gate, isComplete),
    })),
    comparison && {
      name: `comparison with ${comparison.baseline}`,
      text: comparison.text,
      outcome: classifyComparison(comparison.verdict),
    },
  ])
}

/** An undecided gate is not reached. If cases were not run or not judged, though, that is not the agent's failure. */
function classifyGate(gate: GateOutcome, isComplete: boolean): Requirement['outcome'] {
  const { status, rate, reached = 0, undecided = 0 } = gate
  if (status !== 'undecided') return status === 'reached' ? 'passed' : 'failed'
  const isJudged = rate !== undefined || reached + undecided > 0
  return isComplete && isJudged ? 'failed' : 'broken'
}

function classifyComparison(verdict: CompareVerdict): Requirement['outcome'] {
  if (verdict === 'regression') return 'failed'
  return verdict === 'incomplete' || verdict === 'nothing compared' ? 'broken' : 'passed'
}
