import { InfrastructureError } from '../errors.ts'

export interface RetryPolicy {
  /** How many times a failed call is repeated. */
  retries: number
  /** The wait before the first retry; it doubles with every retry. */
  backoffMs: number
}

export const defaultRetryPolicy: RetryPolicy = { retries: 3, backoffMs: 500 }

const maxBackoffMs = 20_000

/** How long to wait before the next attempt, at most `patienceMs`; undefined when there must be none. */
export function retryDelay(
  error: unknown,
  retriesDone: number,
  policy: RetryPolicy,
  patienceMs: number,
): number | undefined {
  if (!(error instanceof InfrastructureError) || !error.retryable || retriesDone >= policy.retries)
    return undefined
  const backoff = Math.min(policy.backoffMs * 2 ** retriesDone, maxBackoffMs)
  // Half of the wait is random, so that parallel cases do not retry at the same moment.
  const delay = error.retryAfterMs ?? backoff * (0.5 + Math.random() / 2)
  return delay <= patienceMs ? delay : undefined
}

/** Something was received, and its cost was lost with it. */
export function wasAnswered(error: unknown): boolean {
  return error instanceof InfrastructureError && (error.kind === 'truncated' || error.kind === 'bad_response')
}
