import type { Key } from '../results/key.ts'
import type { Role } from '../results/usage.ts'

/** Where a call stands: whose it is, how much time it has left, and the one way out to the world. */
export interface Scope {
  readonly key: Key
  readonly role: Role
  /** How many scripts called each other to get here. */
  readonly depth: number
  /** Milliseconds since the epoch; nothing is started or awaited past it. */
  readonly deadline: number
  /** Aborted at the deadline, or when the run is stopped. */
  readonly signal: AbortSignal
  /** A narrower scope of the same case, with less time where `timeoutMs` is given. */
  child(role: Role, timeoutMs?: number): Scope
  /**
   * The choke point of every call to an agent, model, tool, simulator or judge: deadline, retries, usage,
   * redaction and tracing happen here and nowhere else. `target` names the other side in one word or two;
   * `perform` makes one attempt and throws `WorldError` for what is not the agent's fault.
   * A `usage` on what `perform` gives is counted for the scope's role.
   */
  exchange<T>(target: string, request: unknown, perform: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** A line for the case's log. */
  log(text: string): void
}
