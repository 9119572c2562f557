import { InfrastructureError } from '../errors.ts'
import type { Scope } from './scope.ts'

/**
 * Runs work that may need something that viva lacks or that must not be called, and notes the error in the context: the
 * script may catch it, and then nothing else would explain the failure. Only the first error is kept.
 */
export async function recordMissing<T>(scope: Pick<Scope, 'context'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { missing } = scope.context
    if (error instanceof InfrastructureError && error.kind === 'stub' && missing?.length === 0)
      missing.push(error)
    throw error
  }
}
