import type fc from 'fast-check'
import { AgentError, ConfigError, InfrastructureError } from '../../src/errors.ts'

/** A reader of foreign input. It may reject the input with a message, but must not crash. */
export interface FuzzTarget<T> {
  input: fc.Arbitrary<T>
  read(input: T): Promise<void>
}

/** Runs it; only errors that are meant for users may be thrown. */
export async function refusesAtMost(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isMeant = [ConfigError, InfrastructureError, AgentError].some((kind) => error instanceof kind)
    if (!isMeant) throw error
  }
}
