import type { Failure, Termination } from './result.ts'

/** The reason for a result, for people. The message of a forbidden checkpoint is fixed and does not say when. */
export function failureText(failure: Failure | undefined, { reason, detail }: Termination): string {
  const isForbidden = failure?.kind === 'checkpoint_failed' && reason === 'forbidden_checkpoint'
  return (isForbidden && detail) || failure?.message || detail
}
