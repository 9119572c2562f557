import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { InfrastructureError, InterruptedError, TimeoutError } from '../errors.ts'
import { sortedJson } from '../json/json.ts'
import type { ZonedTime } from '../text/zoned-time.ts'
import { CallUnderway } from './call-underway.ts'
import { untilAborted } from './deadline.ts'
import { errorFromData, errorToData } from './error-data.ts'
import type { UsageLedger } from './ledger.ts'
import { wasAnswered } from './retry.ts'
import type { Exchange } from './scope.ts'
import type { AbortState } from './stop.ts'
import type { KeepCall, RecordedCall, Tape, TapeCall } from './tape.ts'
import { type CallOrigin, EndpointGivenUpError } from './targets.ts'

/** What a call on tape needs of the scope that makes it. */
export interface TapingScope extends Pick<CallOrigin, 'role'> {
  readonly stop: AbortState
  readonly ledger: UsageLedger
  /** The call whose code makes this one. */
  readonly around: CallUnderway | undefined
  clock(): number
  log(text: string): void
  /** Makes the call; attempts that fail are added to the course, and what it calls in turn belongs to `own`. */
  goOut<T>(exchange: Exchange<T>, course: Pick<RecordedCall, 'retries'>, own?: CallUnderway): Promise<T>
  /** Lets the clock run ahead by the time that a call took when it was recorded. */
  runAhead(ms: number): void
  /** Ends everything in the scope, as the deadline did when the call was recorded. */
  abort(reason: Error): void
}

/** The calls of one case with a tape: those that go out are kept, the others take their recorded course again. */
export class Taping {
  readonly #tape: Tape
  /** The clock of the case, since its play began. */
  readonly #elapsed: () => number
  /** The end of the recorded calls so far, on the clock by which they were recorded. */
  #recordedUntilMs = 0
  /** The oldest first. */
  readonly #underway = new Set<CallUnderway>()
  /** How many sessions were opened for a request. */
  readonly #sessions = new Map<string, number>()
  /** How many calls have gone out. */
  #goneOut = 0
  /** The time that recorded calls took when they were made, and that has not passed now. */
  aheadMs = 0

  constructor(tape: Tape, elapsed: () => number) {
    this.#tape = tape
    this.#elapsed = elapsed
  }

  now(): ZonedTime {
    return this.#tape.now()
  }

  /** Follows from the id of the session around it, which a replay has from the recording, whatever else is under way. */
  newSessionId(around: string, request: unknown): string {
    const name = hash('sha256', sortedJson([around, request]))
    const place = this.#sessions.get(name) ?? 0
    this.#sessions.set(name, place + 1)
    const digits = hash('sha256', `${name} ${place}`)
    return [8, 4, 4, 4, 12].map((length, index) => digits.slice(index * 12, index * 12 + length)).join('-')
  }

  /** A reply, for which `measure` says how long it takes now. */
  timeReply(measure: () => number): () => number {
    const before = this.#goneOut
    return () => this.#tape.reply(measure(), this.#goneOut > before)
  }

  get isOffline(): boolean {
    return this.#tape.isOffline
  }

  /** A line is recorded with the call that was made first of those that are under way. */
  logged(text: string): void {
    const [oldest] = this.#underway
    oldest?.logs.push(text)
  }

  async exchange<T>(exchange: Exchange<T>, call: TapeCall, scope: TapingScope): Promise<T> {
    scope.around?.addInner(call, this.#tape.nameOf(call))
    const taken = this.#tape.take(call)
    if (typeof taken === 'object') return this.#replay(taken, exchange, scope)
    this.#goneOut += 1
    return taken === undefined ? scope.goOut(exchange, {}) : this.#record(taken, call, exchange, scope)
  }

  async #record<T>(keep: KeepCall, call: TapeCall, exchange: Exchange<T>, scope: TapingScope): Promise<T> {
    const course = beginCourse(call, this.#elapsed())
    const own = new CallUnderway(scope.around, scope.ledger)
    const started = scope.clock()
    const readEffects = exchange.effects?.begin()
    this.#underway.add(own)
    const end = (ending: Pick<RecordedCall, 'response' | 'error' | 'abandoned'>) => {
      course.durationMs = scope.clock() - started
      Object.assign(course, own.describe())
      if (ending.response !== undefined) course.response = ending.response
      if (ending.error !== undefined) course.error = ending.error
      if (ending.abandoned !== undefined) course.abandoned = ending.abandoned
      if (readEffects !== undefined) course.effects = readEffects()
      keep(course)
    }
    try {
      const response = await scope.goOut(exchange, course, own)
      end({ response })
      return response
    } catch (error) {
      const ending = describeEnding(error, scope.stop)
      if (ending !== undefined) end(ending)
      throw error
    } finally {
      this.#underway.delete(own)
    }
  }

  /** Takes the recorded course again, without waiting. */
  async #replay<T>(recorded: RecordedCall, exchange: Exchange<T>, scope: TapingScope): Promise<T> {
    const { effects } = exchange
    const { response, error, logs, abandoned } = recorded
    this.#count(recorded, exchange, scope)
    for (const line of logs ?? []) scope.log(line)
    if (abandoned) return untilAborted(new Promise<never>(() => {}), scope.stop)
    this.#runAhead(recorded, scope)
    if (recorded.effects !== undefined && effects !== undefined) {
      // Calls that began together did not see what the others changed.
      await nextTurn()
      effects.restore(recorded.effects)
    }
    if (error === undefined) return response as T
    const failure = errorFromData(error)
    if (error.aborted) scope.abort(failure)
    throw failure
  }

  /** Counts the attempts as they were counted when they were made. */
  #count<T>(
    { retries = [], error, abandoned, response, innerUsage }: RecordedCall,
    { usage, counted = true }: Exchange<T>,
    { role, ledger }: TapingScope,
  ): void {
    const failures = [...retries.map((attempt) => attempt.error), ...(error === undefined ? [] : [error])]
    for (const failure of failures) {
      if (counted) ledger.addReplayedCall(role)
      if (usage && wasAnswered(errorFromData(failure))) ledger.addTokens(role)
    }
    for (const _ of retries) ledger.addRetry(role)
    if (innerUsage) ledger.addReplayed(innerUsage)
    if (error !== undefined) return
    if (counted) ledger.addReplayedCall(role)
    if (usage && !abandoned) ledger.addReplayedTokens(role, usage(response as T))
  }

  /** Calls that overlapped when they were recorded count once. */
  #runAhead({ startedMs, durationMs }: RecordedCall, scope: TapingScope): void {
    const end = startedMs + durationMs
    const ms = Math.max(0, end - Math.max(startedMs, this.#recordedUntilMs))
    this.#recordedUntilMs = Math.max(this.#recordedUntilMs, end)
    this.aheadMs += ms
    scope.runAhead(ms)
  }
}

function beginCourse(call: TapeCall, startedMs: number): RecordedCall {
  const { layer, target, request, depends, follows, onlyReads } = call
  const course: RecordedCall = { layer, target, request, startedMs, durationMs: 0, retries: [] }
  if (depends !== undefined) course.depends = depends
  if (follows !== undefined && !onlyReads) course.follows = follows
  return course
}

/** How a call failed. Undefined for one that says nothing: the run was stopped, or it was not made. */
function describeEnding(
  error: unknown,
  stop: AbortState,
): Pick<RecordedCall, 'error' | 'abandoned'> | undefined {
  if (error instanceof InterruptedError || error instanceof EndpointGivenUpError) return undefined
  if (!stop.aborted) return { error: errorToData(error) }
  const isTimeout =
    error instanceof TimeoutError || (error instanceof InfrastructureError && error.kind === 'timeout')
  // A script that has an answer elsewhere waits no longer.
  return isTimeout ? { error: { ...errorToData(error), aborted: true } } : { abandoned: true }
}
