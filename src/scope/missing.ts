import { InfrastructureError } from '../errors.ts'
import type { Scope } from './scope.ts'

/**
 * Does what may need something that viva lacks, or that must not be called. Whoever asked may catch the error, and then
 * nothing else would say why things go wrong: it is noted in the context. The first one says enough.
 */
export async function notingMissing<T>(scope: Pick<Scope, 'context'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { missing } = scope.context
    if (error instanceof InfrastructureError && error.kind === 'stub' && missing?.length === 0)
      missing.push(error)
    throw error
  }
}
