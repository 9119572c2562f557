import type { Failure, Termination } from './result.ts'

/** Why a result is what it is, for people. The message of a forbidden checkpoint is fixed, and does not say when. */
export function failureText(failure: Failure | undefined, { reason, detail }: Termination): string {
  const isForbidden = failure?.kind === 'checkpoint_failed' && reason === 'forbidden_checkpoint'
  return (isForbidden && detail) || failure?.message || detail
}
