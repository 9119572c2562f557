import { InfrastructureError } from '../errors.ts'
import type { Scope } from './scope.ts'

/**
 * Runs work that may need something that viva lacks or that must not be called, and notes the error in the context: the
 * script may catch it, and then nothing else would explain the failure.
 */
export async function recordMissing<T>(scope: Pick<Scope, 'context'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InfrastructureError && error.kind === 'stub') noteMissing(scope, error)
    throw error
  }
}

/** Only the first one is kept, and what a replay has no answer for: it may not even pass then. */
export function noteMissing(
  { context: { missing } }: Pick<Scope, 'context'>,
  error: InfrastructureError,
): void {
  if (missing?.length === 0) missing.push(error)
  else if (error.kind === 'not_recorded' && missing?.[0]?.kind !== 'not_recorded') missing?.unshift(error)
}
