import { InfrastructureError, TimeoutError } from '../errors.ts'
import type { Role } from '../results/usage.ts'
import type { AbortState } from './stop.ts'

/** An attempt at a call that has ended. */
export interface EndedCall {
  role: Role
  /** Without the time for which the clock of the case stood still. */
  durationMs: number
  /** What it threw, if it failed. */
  error?: unknown
}

/** Learns from the calls of a run how many cases may run at once. */
export interface Pace {
  ended(call: EndedCall): void
  /** Waits for a time, and then until a failed call may be repeated. When the signal is aborted, it waits no longer. */
  wait(ms: number, signal: AbortState): Promise<void>
}

const refusals: readonly (number | undefined)[] = [429, 502, 503, 504, 529]
const overloads = ['rate_limit', 'connection', 'truncated', 'timeout']

/** Whether a call failed as calls do when a server has too much to do: it was refused, cut off, or took too long. */
export function isPushBack(error: unknown): boolean {
  if (error instanceof TimeoutError) return true
  if (!(error instanceof InfrastructureError)) return false
  return overloads.includes(error.kind) || refusals.includes(error.status)
}

/** Lets the pace learn from an attempt at a call. */
export async function watchCall<T>(
  pace: Pace,
  scope: { role: Role; clock(): number },
  perform: () => Promise<T>,
): Promise<T> {
  const started = scope.clock()
  const ended = (failure: { error?: unknown }) =>
    pace.ended({ role: scope.role, durationMs: scope.clock() - started, ...failure })
  try {
    const response = await perform()
    ended({})
    return response
  } catch (error) {
    ended({ error })
    throw error
  }
}
