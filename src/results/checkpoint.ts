import type { CheckpointResult } from './result.ts'

/** Whether it could not be judged if the checkpoint was reached. */
export function isUnclear({ status, turn }: CheckpointResult): boolean {
  return turn === undefined && (status === 'error' || status === 'unknown')
}

/** Whether the checkpoint is as it should be: reached, or forbidden and certainly not reached. */
export function checkpointHolds(checkpoint: CheckpointResult): boolean {
  const { turn, forbidden } = checkpoint
  return forbidden ? turn === undefined && !isUnclear(checkpoint) : turn !== undefined
}
