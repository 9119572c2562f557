import type { CheckpointResult } from './result.ts'

/** Nobody can tell whether it was reached. */
export function isUnclear({ status, turn }: CheckpointResult): boolean {
  return turn === undefined && (status === 'error' || status === 'unknown')
}

/** It is as it should be: reached, or forbidden and surely not reached. */
export function checkpointHolds(checkpoint: CheckpointResult): boolean {
  const { turn, forbidden } = checkpoint
  return forbidden ? turn === undefined && !isUnclear(checkpoint) : turn !== undefined
}
