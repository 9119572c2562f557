import type fc from 'fast-check'
import { AgentError, ConfigError, InfrastructureError } from '../../src/errors.ts'

/** Something that reads what others wrote. It may refuse it in words of viva's, and must not break. */
export interface FuzzTarget<T> {
  input: fc.Arbitrary<T>
  read(input: T): Promise<void>
}

/** Does it; what is thrown may only be an error that users are meant to see. */
export async function refusesAtMost(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isMeant = [ConfigError, InfrastructureError, AgentError].some((kind) => error instanceof kind)
    if (!isMeant) throw error
  }
}
