import type { Check } from '../checks/check.ts'
import { defined, emptyToUndefined } from '../json/defined.ts'
import { isUnclear } from '../results/checkpoint.ts'
import type { CheckpointResult } from '../results/result.ts'
import { reasonWithCriterion } from '../results/transcript/criterion.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { runCheck } from './run-check.ts'

/** A point that the conversation must reach, may reach, or must never reach. */
export interface Checkpoint {
  id: string
  description?: string
  check: Check
  /** The checkpoints that must be reached before it, or in the same turn. */
  after: readonly string[]
  /** Never together with `forbidden`. */
  required: boolean
  forbidden: boolean
}

export function startCheckpoints(checkpoints: readonly Checkpoint[]): CheckpointResult[] {
  return checkpoints.map(({ id, description, required, forbidden, after }) => ({
    id,
    ...defined({ description, after: emptyToUndefined(after) }),
    required,
    forbidden,
    status: 'waiting',
    reason: after.length === 0 ? 'there was no turn' : waitingReason(after),
  }))
}

/**
 * Evaluates the open checkpoints after a turn. A checkpoint that is reached opens those that come after it in the same
 * turn, in any written order. A checkpoint stays reached.
 */
export async function evaluateCheckpoints(
  checkpoints: readonly Checkpoint[],
  states: CheckpointResult[],
  view: View,
  scope: Scope,
): Promise<void> {
  const reached = new Set(states.flatMap(({ id, turn }) => (turn === undefined ? [] : [id])))
  const turn = view.turns.length
  let open = checkpoints.filter(({ id }) => !reached.has(id))
  while (open.length > 0) {
    const ready = open.filter(({ after }) => after.every((id) => reached.has(id)))
    if (ready.length === 0) break
    for (const { id, check } of ready) {
      const result = await runCheck(check, view, scope)
      const { status } = result
      const state = states.find((each) => each.id === id)
      if (status === 'passed') reached.add(id)
      // If an earlier turn could not be judged, the checkpoint may have been reached there: a later failure does not change that.
      if (state && (status === 'passed' || !isUnclear(state)))
        Object.assign(
          state,
          { status, reason: reasonWithCriterion(result) },
          status === 'passed' ? { turn } : {},
        )
    }
    open = open.filter((checkpoint) => !ready.includes(checkpoint))
  }
  for (const { id, after } of open) {
    const missing = after.filter((each) => !reached.has(each))
    const state = states.find((each) => each.id === id)
    if (state) Object.assign(state, { status: 'waiting', reason: waitingReason(missing) })
  }
}

function waitingReason(ids: readonly string[]): string {
  return `comes after ${ids.join(', ')}`
}

/** The required checkpoints that were not reached. */
export function listMissingCheckpoints(states: readonly CheckpointResult[]): CheckpointResult[] {
  return states.filter(({ required, turn }) => required && turn === undefined)
}

export function findReachedForbidden(states: readonly CheckpointResult[]): CheckpointResult | undefined {
  return states.find(({ forbidden, turn }) => forbidden && turn !== undefined)
}

/** A required or forbidden checkpoint that could not be judged, or that comes after one that could not. */
export function findUnclearCheckpoint(
  states: readonly CheckpointResult[],
  checkpoints: readonly Checkpoint[],
): CheckpointResult | undefined {
  const unclear = (id: string): boolean => {
    const state = states.find((each) => each.id === id)
    if (state === undefined || state.turn !== undefined) return false
    const after = checkpoints.find((each) => each.id === id)?.after ?? []
    return isUnclear(state) || (state.status === 'waiting' && after.some(unclear))
  }
  return states.find(({ id, required, forbidden }) => (required || forbidden) && unclear(id))
}
