import { checkText } from '../../reporters/check-text.ts'
import type { CaseResult, CheckpointResult } from '../../results/result.ts'
import type { CheckResult } from '../../results/transcript/check-result.ts'

/** A check that passed for a reply for which it should have failed. */
export interface PassedCheck {
  /** `turn 2: contains "submitted"` */
  check: string
  /** Why it passed. */
  reason: string
  /** It only says what must not happen: an empty reply satisfies it. */
  negative: boolean
}

/** All checks that decided that a case passed; empty when it has none. */
export function listPassedChecks({ view, finals, checkpoints, singleTurn }: CaseResult): PassedCheck[] {
  return [
    ...view.turns.flatMap((turn) => passedChecks(turn.checks, singleTurn ? '' : `turn ${turn.number}: `)),
    ...passedChecks(finals, singleTurn ? '' : 'at the end: '),
    ...checkpoints.filter(({ required, forbidden }) => required || forbidden).map(passedCheckpoint),
  ]
}

function passedChecks(checks: readonly CheckResult[], place: string): PassedCheck[] {
  return checks
    .filter(({ gates }) => gates)
    .map((check) => ({
      check: `${place}${checkText(check)}`,
      reason: check.reason,
      negative: isNegative({ ...check.fields, type: check.type }),
    }))
}

function passedCheckpoint({ id, forbidden, turn, reason }: CheckpointResult): PassedCheck {
  return forbidden
    ? { check: `checkpoint ${id} (forbidden)`, reason: 'it was not reached', negative: true }
    : { check: `checkpoint ${id}`, reason: `reached at turn ${turn}: ${reason}`, negative: false }
}

interface Written {
  type?: unknown
  negate?: unknown
  assertions?: unknown
  min?: unknown
  equals?: unknown
  value?: unknown
}

const prohibitions = new Set<unknown>(['not_contains', 'tool_not_called', 'latency', 'cost'])

function isNegative(written: Written): boolean {
  return isProhibition(written) !== (written.negate === true)
}

function isProhibition({ type, assertions, min, equals, value }: Written): boolean {
  if (type === 'length') return [min, equals, value].every((limit) => limit === undefined)
  const members = Array.isArray(assertions) ? (assertions as Written[]) : []
  if (members.length > 0) return type === 'all_of' ? members.every(isNegative) : members.some(isNegative)
  return prohibitions.has(type)
}
