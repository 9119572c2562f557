import type { Key } from '../results/key.ts'
import type { TokenUsage } from '../results/transcript/reply.ts'
import type { Role } from '../results/usage.ts'
import type { Activation } from './activation.ts'
import type { Context } from './context.ts'

/** One call to the outside. */
export interface Exchange<T> {
  /** The other side, in a word or two. */
  target: string
  /** What is asked outside this process. One that never answers is not asked for ever. */
  endpoint?: string
  /** What is asked, without what differs from run to run (session ids, the clock): a recording is found by it. */
  request: unknown
  /** Makes one attempt; throws `InfrastructureError` for what is not the agent's fault. */
  perform(signal: AbortSignal): Promise<T>
  /** The tokens an answer tells of. */
  usage?(response: T): TokenUsage | undefined
  /** False: it is no call of its own in the figures, but a part of one. */
  counted?: boolean
  /** What to say, besides that the time is over, when it runs out in this call. */
  overdue?(): string | undefined
  /** What keeps the call from reaching the other side, while something does: a timeout is then not their fault. */
  heldUpBy?(): string | undefined
}

/** Where a call stands: whose it is, how much time it has left, and the one way out. */
export interface Scope {
  readonly key: Key
  /** Who asks, and what scripts have set in this play of the case. */
  readonly context: Context
  readonly role: Role
  /** The script that asks, where one does. */
  readonly activation: Activation | undefined
  /** Milliseconds since the epoch; nothing is started or awaited past it. It moves on while the clock stands still. */
  readonly deadline: number
  /** Aborted at the deadline, or when the run is stopped. */
  readonly signal: AbortSignal
  /** A narrower scope of the same case, with less time where `timeoutMs` is given, for another one who asks. */
  child(role: Role, timeoutMs?: number, context?: Context): Scope
  /** The same for what a script asks for: the signal tells that the script has ended. */
  within(activation: Activation, signal: AbortSignal): Scope
  /**
   * The choke point of every call to an agent, model, tool, simulator or judge: deadline, retries, usage and
   * tracing happen here and nowhere else.
   */
  exchange<T>(exchange: Exchange<T>): Promise<T>
  /** Milliseconds, to tell durations by; it stands still when the case's clock does. */
  clock(): number
  /**
   * Does what is not on the case's account, like waiting for a person or for a limit of viva's own: meanwhile its
   * clock and those around it stand still. The signal tells that the run is stopped, which ends it at once.
   */
  standStill<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Counts an answer that had to be read as data; `repaired`: it could not be, and was sent back. */
  countAnswer(answer: { repaired: boolean }): void
  /** A line for the case's log. */
  log(text: string): void
}
