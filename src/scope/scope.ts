import type { Key } from '../results/key.ts'
import type { TokenUsage } from '../results/transcript/reply.ts'
import type { Role } from '../results/usage.ts'
import type { ZonedTime } from '../text/zoned-time.ts'
import type { Activation } from './activation.ts'
import type { Context } from './context.ts'
import type { AbortState, Stop } from './stop.ts'

/** One call to an agent, model, tool or other service. */
export interface Exchange<T> {
  /** Names the other side in a word or two. */
  target: string
  /** The address outside this process. A run gives up an endpoint that never answers. */
  endpoint?: string
  /** The request without what differs from run to run (session ids, the time): recordings are looked up by it. */
  request: unknown
  /**
   * Makes one attempt, which must end when `stop` is aborted; `stop.signal` is an `AbortSignal`. Throws
   * `InfrastructureError` for what is not the agent's fault. What it calls in turn belongs to this call, if it is called
   * through `scope`.
   */
  perform(stop: Stop, scope: Scope): Promise<T>
  /** Reads the token counts of an answer. */
  usage?(response: T): TokenUsage | undefined
  /** What answers, where that is a model, or code of the user's that viva runs. */
  part?: 'model' | 'script'
  /** The file with the code that answers, where the user can edit it: its recorded answer is that of this code. */
  code?: string
  /** What the other side can see besides the request, without ids and times. Recordings keep a fingerprint of it. */
  sees?(): unknown
  /** What the request attaches, where the request itself does not hold it. */
  attached?: unknown
  /** Names the other side where it remembers the calls before this one. */
  continues?: string | undefined
  /** Names what the calls before this one may have changed, where that is recorded with them. */
  follows?: string
  /** The call changes nothing, so that no later call follows from it. */
  onlyReads?: true
  /** What the call changes besides its answer, to be recorded with it: `begin` returns what reads the changes at the end. */
  effects?: { begin(): () => unknown; restore(effects: unknown): void }
  /** The agent's own code answers, so that the time it takes is the agent's. */
  isAgents?: boolean
  /** Answered by viva itself: there is nothing to record. */
  local?: boolean
  /** False when this is part of a call that is already counted. */
  counted?: boolean
  /** Adds an explanation to the timeout message when the time runs out in this call. */
  overdue?(): string | undefined
  /** Names what keeps the call from reaching the other side, if anything: a timeout is then not their fault. */
  heldUpBy?(): string | undefined
}

/** The context of a call: its case and role, the time that is left, and `exchange`, through which every request goes. */
export interface Scope {
  readonly key: Key
  /** Who asks, and what scripts have set in this play of the case. */
  readonly context: Context
  readonly role: Role
  /** The script that makes the call, if one does. */
  readonly activation: Activation | undefined
  /** Milliseconds since the epoch; nothing is started or awaited after it. It moves on while the clock stands still. */
  readonly deadline: number
  /** Aborted at the deadline, or when the run is stopped. */
  readonly stop: Stop
  /** The same as an `AbortSignal`, for code that needs one. */
  readonly signal: AbortSignal
  /** A narrower scope of the same case for another role, with less time where `timeoutMs` is given. */
  child(role: Role, timeoutMs?: number, context?: Context): Scope
  /** The same for a call from a script: the signal is aborted when the script has ended. */
  within(activation: Activation, signal: AbortState): Scope
  /**
   * The only way to call an agent, model, tool, simulator or judge: deadline, retries, usage and tracing happen here and
   * nowhere else.
   */
  exchange<T>(exchange: Exchange<T>): Promise<T>
  /** The time that prompts show. */
  now(): ZonedTime
  /** The id of another session within this one, opened for this request: in a replay that of the recording. */
  newSessionId(request: unknown): string
  /** Milliseconds, for measuring durations; it stands still when the case's clock does. */
  clock(): number
  /** Begins to measure a reply. The function says how many milliseconds it took: when it was recorded, if it is replayed. */
  timeReply(): () => number
  /**
   * Does work that does not count as time of the case, like waiting for a person or for one of viva's own limits: meanwhile
   * its clock and those around it stand still. `stop` is aborted when the run is stopped, which ends the work at once.
   */
  standStill<T>(work: (stop: Stop) => Promise<T>): Promise<T>
  /** Takes back time that the case has lost through no fault of its own, as if its clock had stood still. */
  refund(ms: number): void
  /** Gives the case more time (or less, where `ms` is negative). Durations stay as they are: what was slow is reported as slow. */
  extend(ms: number): void
  /** Counts an answer that had to be parsed as data; `repaired`: it could not be parsed and was sent back. */
  countAnswer(answer: { repaired: boolean }): void
  /** Adds a line to the case's log. */
  log(text: string): void
}
