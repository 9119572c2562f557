import { InfrastructureError, messageOf, TimeoutError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { activate } from '../../scope/activation.ts'
import { startTimer } from '../../scope/deadline.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Answering } from '../protocol/ask.ts'
import type { FailureReason, TestReport } from '../protocol/report.ts'
import type { SharedState } from '../protocol/state.ts'
import type { TestEvent } from '../protocol/test-event.ts'
import { serveFor, sharedBy } from './run-script.ts'
import { ScriptCrash, ScriptStopped } from './script-error.ts'
import type { Serve } from './served-call.ts'

/** There is next to nothing to do from one test to the next. */
const betweenTestsMs = 10_000

/** Who is told of the tests as they run. */
export interface TestListener {
  /** A test or a phase begins: gives the scope that it works in. */
  begin(name: string, sessionId: string): Scope
  testFinished(name: string, report: TestReport): void
  /** Whatever it was before, it failed. */
  testFailed(name: string, reason: FailureReason): void
  /** After a test or phase, however it ended. */
  end(name: string): void
}

interface Unit {
  name: string
  phase: boolean
  scope: Scope
  serve: Serve
  state: SharedState
  /** Ends what it asked for. */
  over: AbortController
}

/** The tests that one worker runs, until they are done or it dies. */
export class TestRound {
  readonly #answering: Answering
  readonly #listener: TestListener
  /** Ends the worker: the time of what it does is over. */
  readonly #stop = new AbortController()
  /** The last that was told of. */
  #last: string | undefined
  #unit: Unit | undefined
  /** Its last words may come after it was given up. */
  #over = false
  #stopWatchdog = () => {}
  left: string[]
  broken: { error: unknown } | undefined

  constructor(answering: Answering, listener: TestListener, tests: string[]) {
    this.#answering = answering
    this.#listener = listener
    this.left = tests
  }

  callOptions(signal: AbortSignal) {
    return {
      signal: AbortSignal.any([signal, this.#stop.signal]),
      onLog: (line: string) => this.#unit?.scope.log(line),
      onEvent: (event: unknown) => this.#hear(event as TestEvent),
      serve: (async (ask, asking) => {
        // When this is answered, what was told before has been dealt with.
        if (ask.kind === 'next_test') return true
        if (this.#unit === undefined) throw new Error('no test is under way that could ask for this')
        return this.#unit.serve(ask, asking)
      }) satisfies Serve,
      state: () => this.#unit?.state,
    }
  }

  /** The worker is gone before its time: what it was at has failed, and the rest is for another one. */
  brokeOff(error: unknown): void {
    this.#over = true
    const reason = reasonOf(error)
    if (this.#unit === undefined) this.#blame(this.#last ?? this.left[0] ?? '', reason)
    else if (this.#unit.phase) this.#phaseFailed(this.#unit.name, reason)
    else this.#blame(this.#unit.name, reason)
    this.#finish()
  }

  /** What breaks on this side (results that cannot be written) ends the round, and is nobody's failure there. */
  #hear(event: TestEvent): void {
    if (this.broken !== undefined) return
    try {
      this.#receive(event)
    } catch (error) {
      this.broken = { error }
      this.#stop.abort(error)
    }
  }

  #receive(event: TestEvent): void {
    if (this.#over) return
    switch (event.type) {
      case 'test_started':
      case 'phase_started':
        this.#begin(event.name, event.sessionId, event.type === 'phase_started')
        return
      case 'test_finished':
        this.#forget(event.name)
        this.#listener.testFinished(event.name, event.report)
        this.#finish()
        return
      case 'phase_finished':
        if (event.reason !== undefined) this.#phaseFailed(event.name, event.reason)
        this.#finish()
        return
      case 'test_broke_later':
        this.#listener.testFailed(event.name, event.reason)
    }
  }

  #begin(name: string, sessionId: string, phase: boolean): void {
    this.#stopWatchdog()
    const scope = this.#listener.begin(name, sessionId)
    const answer = serveFor(activate(name, scope.activation), scope, this.#answering)
    const over = new AbortController()
    const serve: Serve = (ask, asking) =>
      answer(ask, { ...asking, signal: AbortSignal.any([asking.signal, over.signal]) })
    this.#unit = { name, phase, scope, serve, over, state: sharedBy(scope.context) }
    const stop = () => {
      this.#over = true
      this.#stop.abort(scope.signal.reason)
    }
    scope.signal.addEventListener('abort', stop, { once: true })
  }

  #finish(): void {
    const unit = this.#unit
    this.#unit = undefined
    this.#watch()
    unit?.over.abort(new Error(`${unit.name} has ended`))
    if (unit !== undefined) this.#listener.end(unit.name)
  }

  #watch(): void {
    this.#stopWatchdog()
    const stop = () => this.#stop.abort(new TimeoutError('after it, its process did not go on'))
    this.#stopWatchdog = startTimer(betweenTestsMs, stop)
  }

  /** There is no more to wait for. */
  end(): void {
    this.#stopWatchdog()
  }

  #forget(name: string): void {
    this.#last = name
    this.left = this.left.filter((each) => each !== name)
  }

  #blame(name: string, reason: FailureReason): void {
    this.#forget(name)
    this.#listener.testFailed(name, reason)
  }

  /** What comes before the tests fails all of them; what comes after them, the last. */
  #phaseFailed(name: string, reason: FailureReason): void {
    const told = { ...reason, message: `${name}: ${reason.message}` }
    const failed = this.left.length > 0 ? this.left : [this.#last ?? '']
    for (const test of failed) this.#blame(test, told)
  }
}

function reasonOf(error: unknown): FailureReason {
  const message = messageOf(error)
  if (error instanceof ScriptStopped) return { ...reasonOf(error.reason), ...defined({ at: error.at }) }
  if (error instanceof InfrastructureError) return { kind: 'timeout', message, infrastructure: error.kind }
  if (error instanceof TimeoutError) return { kind: 'timeout', message }
  if (!(error instanceof ScriptCrash)) return { kind: 'threw', message }
  return { kind: 'crashed', message, ...(error.crowded && { infrastructure: 'script_error' }) }
}
