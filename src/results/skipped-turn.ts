import type { ResultLine, SkippedTurnLine, TurnLine } from './line-schema.ts'
import { type CaseResult, notRecorded } from './result.ts'

/**
 * The turn that could not be played, because there was no next user message or the simulator failed. A case that its
 * author skips has none.
 */
export function skippedTurn(
  result: Pick<CaseResult, 'singleTurn' | 'status' | 'failure' | 'termination' | 'view'>,
): SkippedTurnLine | undefined {
  const { singleTurn, status, failure, termination, view } = result
  const isBroken = termination.reason === 'simulator_error'
  const hasNoInput = ['missing_input', 'no_initial_input'].includes(termination.reason)
  if (singleTurn || !(isBroken || (hasNoInput && status === 'skipped'))) return undefined
  // If an earlier check failed, the failure is about that check.
  const isReason = status === 'skipped' || failure?.kind === 'simulator_error'
  const reason = (isReason ? failure?.message : termination.detail) || notRecorded
  return { turn: view.turns.length + 1, status: 'skipped', skip_reason: reason }
}

/** All turns but a skipped one. */
export function playedTurns({ turns = [] }: Pick<ResultLine, 'turns'>): TurnLine[] {
  return turns.filter((turn) => turn.status !== 'skipped')
}
