import { randomUUID } from 'node:crypto'
import { errorMessage, InfrastructureError } from '../errors.ts'
import { deepestData, isTooDeep } from '../json/json.ts'
import type { Key } from '../results/key.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { Role } from '../results/usage.ts'
import { pluralize } from '../text/counted.ts'
import { type ZonedTime, zonedNow } from '../text/zoned-time.ts'
import type { Activation } from './activation.ts'
import { type Allotment, allot, beginCall, endBySignal } from './allotment.ts'
import { awakeClock } from './awake-clock.ts'
import type { CallUnderway } from './call-underway.ts'
import type { Context } from './context.ts'
import { type Deadline, pause, untilAborted } from './deadline.ts'
import { errorToData } from './error-data.ts'
import { UsageLedger } from './ledger.ts'
import { watchCall } from './pace.ts'
import { noteMissing } from './record-missing.ts'
import { type RetryPolicy, retryDelay, wasAnswered } from './retry.ts'
import type { Exchange, Scope } from './scope.ts'
import type { AbortState, Stop } from './stop.ts'
import { type RecordedCall, type Tape, type TapeCall, toTapeCall } from './tape.ts'
import { Taping } from './taping.ts'
import type { Targets } from './targets.ts'

/** What belongs to a single scope. */
interface ScopePosition {
  role: Role
  context: Context
  allotment: Allotment
  activation: Activation | undefined
  /** The call that is being recorded, and that this scope belongs to. */
  within: CallUnderway | undefined
}

/** What all scopes of one case share. */
interface CaseShare {
  key: Key
  retry: RetryPolicy
  ledger: UsageLedger
  logs: string[]
  /** The result of the case has been made. */
  closed: boolean
  lateLines: number
  deadlines: Deadline[]
  /** How long the case may still wait between attempts, in addition to its own time. */
  patienceMs: number
  targets: Targets
  taping: Taping | undefined
  emit(event: RunEvent): void
}

/** Code that runs on after its case might print for ever. */
const maxLateLines = 20

/** The scope of one play of one case; its children are narrower views of the same case. */
export class CaseScope implements Scope {
  readonly role: Role
  readonly activation: Activation | undefined
  readonly context: Context
  readonly #allotment: Allotment
  readonly #share: CaseShare
  readonly #within: CallUnderway | undefined

  private constructor(share: CaseShare, { role, context, allotment, activation, within }: ScopePosition) {
    this.#share = share
    this.context = context
    this.role = role
    this.activation = activation
    this.#allotment = allotment
    this.#within = within
    if (share.deadlines.at(-1) !== allotment.deadline) share.deadlines.push(allotment.deadline)
  }

  static open(options: {
    key: Key
    context: Context
    timeoutMs: number
    signal: AbortState
    retry: RetryPolicy
    /** The targets of the run, shared by all cases. */
    targets: Targets
    /** Where its calls are kept, or answered from. */
    tape?: Tape | undefined
    emit(event: RunEvent): void
  }): CaseScope {
    const { key, context, retry, targets, tape, emit, timeoutMs, signal } = options
    const share: CaseShare = {
      key,
      retry,
      emit,
      ledger: new UsageLedger(),
      logs: [],
      closed: false,
      lateLines: 0,
      deadlines: [],
      // A server that never recovers delays a case by at most its own time.
      patienceMs: timeoutMs,
      targets,
      taping: undefined,
    }
    if (tape !== undefined) share.taping = new Taping(tape, stopwatch(share.deadlines))
    const allotment = allot(timeoutMs, signal)
    const position = { role: 'agent' as const, context, allotment, activation: undefined, within: undefined }
    return new CaseScope(share, position)
  }

  get key(): Key {
    return this.#share.key
  }

  get deadline(): number {
    return this.#allotment.deadline.at
  }

  get stop(): Stop {
    return this.#allotment.deadline.stop
  }

  get signal(): AbortSignal {
    return this.stop.signal
  }

  get usage() {
    return this.#share.ledger.byRole
  }

  /** Time that recorded calls took when they were made, and that has not passed now. */
  get aheadMs(): number {
    return this.#share.taping?.aheadMs ?? 0
  }

  get logs(): readonly string[] {
    return this.#share.logs
  }

  child(role: Role, timeoutMs?: number, context = this.context): CaseScope {
    const allotment =
      timeoutMs === undefined || timeoutMs >= this.deadline - Date.now()
        ? this.#allotment
        : allot(timeoutMs, this.stop, this.#allotment)
    return this.#narrow({ role, context, allotment })
  }

  within(activation: Activation, signal: AbortState): CaseScope {
    const allotment = endBySignal(signal, this.#allotment)
    return this.#narrow({ allotment, activation })
  }

  #narrow(change: Partial<ScopePosition>): CaseScope {
    const { role, context, activation } = this
    const own = { role, context, activation, allotment: this.#allotment, within: this.#within }
    return new CaseScope(this.#share, { ...own, ...change })
  }

  /** Counts for the case, and for the calls that this scope is within. */
  get #ledger(): UsageLedger {
    return this.#within?.ledger ?? this.#share.ledger
  }

  clock(): number {
    // What viva itself takes to replay is nobody's time.
    const { taping } = this.#share
    if (taping?.isOffline) return taping.aheadMs
    return awakeClock.now() - this.#allotment.deadline.stoodStillMs
  }

  newSessionId(request: unknown): string {
    return this.#share.taping?.newSessionId(this.context.sessionId, request) ?? randomUUID()
  }

  timeReply(): () => number {
    const started = this.clock()
    const measure = () => this.clock() - started
    return this.#share.taping?.timeReply(measure) ?? measure
  }

  now(): ZonedTime {
    return this.#share.taping?.now() ?? zonedNow()
  }

  async standStill<T>(work: (stop: Stop) => Promise<T>): Promise<T> {
    const goOn = this.#allotment.deadline.standStill()
    try {
      return await untilAborted(work(this.stop), this.stop)
    } finally {
      goOn()
    }
  }

  refund(ms: number): void {
    this.#allotment.deadline.refund(ms)
  }

  extend(ms: number): void {
    this.#allotment.deadline.extend(ms)
  }

  countAnswer({ repaired }: { repaired: boolean }): void {
    this.#ledger.addAnswer(this.role, repaired)
  }

  emit(event: RunEvent): void {
    this.#share.emit(event)
  }

  log(text: string): void {
    if (this.#share.closed) {
      this.#logLate(text)
      return
    }
    this.#share.logs.push(text)
    this.#share.taping?.logged(text)
    this.#share.emit({ type: 'log', key: this.key, text })
  }

  #logLate(text: string): void {
    this.#share.lateLines += 1
    if (this.#share.lateLines > maxLateLines) return
    const end = this.#share.lateLines === maxLateLines ? '\n(more lines of this case are not shown)' : ''
    this.#share.emit({ type: 'log', key: this.key, text: `${text}${end}`, late: true })
  }

  exchange<T>(exchange: Exchange<T>): Promise<T> {
    const { taping } = this.#share
    const call = taping && toTapeCall(exchange, this.role, this.context)
    if (taping === undefined || call === undefined) return this.#goOut(exchange)
    return this.#onTape(taping, exchange, call)
  }

  /** What is recorded, or answered from a recording, is reported like any other call. */
  async #onTape<T>(taping: Taping, exchange: Exchange<T>, call: TapeCall): Promise<T> {
    this.stop.throwIfAborted()
    const { role, stop } = this
    const { deadline } = this.#allotment
    let isReplayed = true
    const started = this.clock()
    const tell = (response: unknown, error?: string) => {
      if (isReplayed) this.#tell(exchange, response, 0, started, error)
    }
    try {
      const response = await taping.exchange(exchange, call, {
        role,
        stop,
        ledger: this.#ledger,
        around: this.#within,
        clock: () => this.clock(),
        log: (text) => this.log(text),
        runAhead: (ms) => deadline.runAhead(ms),
        abort: (reason) => deadline.stop.abort(reason),
        goOut: (asked, course, within) => {
          isReplayed = false
          return this.#goOut(asked, course, within)
        },
      })
      tell(response)
      return response
    } catch (error) {
      // A script may catch it, or get it as data. What went out has had its answer.
      if (isReplayed && error instanceof InfrastructureError && error.kind === 'not_recorded')
        noteMissing(this, error)
      tell(null, errorMessage(error))
      throw error
    }
  }

  async #goOut<T>(
    exchange: Exchange<T>,
    course?: Pick<RecordedCall, 'retries'>,
    within = this.#within,
  ): Promise<T> {
    const { target, endpoint, usage, isAgents, overdue, heldUpBy } = exchange
    const { retry, targets } = this.#share
    let lastProblem = ''
    const started = this.clock()
    for (let retries = 0; ; retries++) {
      const unasked = targets.whyNotAsked(endpoint)
      if (unasked !== undefined) throw unasked
      const over = beginCall(this.#allotment, { role: this.role, target, isAgents, overdue, heldUpBy })
      try {
        const response = await untilAborted(this.#begin(exchange, within), this.stop)
        // Code that blocks the event loop keeps the deadline's timer from firing, too.
        if (Date.now() > this.deadline) await pause(0, this.stop)
        this.#accept(exchange, response)
        this.#tell(exchange, response, retries, started)
        return response
      } catch (error) {
        if (usage && wasAnswered(error)) this.#ledger.addTokens(this.role)
        const delay = this.stop.aborted
          ? undefined
          : retryDelay(error, retries, retry, this.#share.patienceMs)
        if (delay === undefined) {
          this.#tell(exchange, null, retries, started, errorMessage(error))
          if (!this.stop.aborted) targets.failed(endpoint, error, this)
          throw this.stop.aborted ? this.stop.reason : withRetryCount(error, retries)
        }
        this.#ledger.addRetry(this.role)
        course?.retries?.push({ error: errorToData(error), delayMs: delay })
        const problem = errorMessage(error)
        if (problem !== lastProblem) this.log(`${problem}; trying again in ${Math.round(delay)} ms`)
        lastProblem = problem
        this.#share.patienceMs -= delay
        // Waiting counts neither as the agent's latency nor as time it could have used.
        // An abort during the wait is noticed in the next round, which begins by checking the signal.
        const { pace } = targets
        await this.standStill((stop) => (pace ? pace.wait(delay, stop) : pause(delay, stop))).catch(() => {})
      } finally {
        over()
      }
    }
  }

  #begin<T>({ perform, counted = true }: Exchange<T>, within: CallUnderway | undefined): Promise<T> {
    this.stop.throwIfAborted()
    const own = within === this.#within ? this : this.#narrow({ within })
    if (!counted) return perform(this.stop, own)
    this.#ledger.addCall(this.role)
    const { pace } = this.#share.targets
    return pace ? watchCall(pace, this, () => perform(this.stop, own)) : perform(this.stop, own)
  }

  #accept<T>({ target, endpoint, usage }: Exchange<T>, response: T): void {
    this.stop.throwIfAborted()
    if (isTooDeep(response)) {
      const message = `${target} answered with data nested deeper than ${deepestData} levels`
      throw new InfrastructureError('bad_response', message)
    }
    if (usage) this.#ledger.addTokens(this.role, usage(response))
    this.#share.targets.answered(endpoint, this)
  }

  #tell<T>(
    { target, request }: Exchange<T>,
    response: unknown,
    retries: number,
    started: number,
    error?: string,
  ): void {
    const { key, role } = this
    const durationMs = this.clock() - started
    const event: Extract<RunEvent, { type: 'exchange' }> = {
      type: 'exchange',
      key,
      role,
      target,
      request,
      retries,
      durationMs,
      response,
    }
    if (error !== undefined) event.error = error
    this.#share.emit(event)
  }

  /** Releases all timers of the case. Lines logged after this are in no result. */
  close(): void {
    this.#share.closed = true
    for (const deadline of this.#share.deadlines) deadline.release()
  }
}

/** Measures the time since now by the clock of the outermost deadline. */
function stopwatch(deadlines: readonly Deadline[]): () => number {
  const read = () => awakeClock.now() - (deadlines[0]?.stoodStillMs ?? 0)
  const started = read()
  return () => read() - started
}

function withRetryCount(error: unknown, retries: number): unknown {
  if (!(error instanceof InfrastructureError) || retries === 0) return error
  const times = pluralize(retries, 'retry', 'retries')
  return new InfrastructureError(error.kind, `${error.message} (after ${times})`, { cause: error })
}
