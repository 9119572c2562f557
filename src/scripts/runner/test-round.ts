import { errorMessage, InfrastructureError, TimeoutError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { activate } from '../../scope/activation.ts'
import { startTimer } from '../../scope/deadline.ts'
import type { Scope } from '../../scope/scope.ts'
import type { ScriptRequestHandler } from '../protocol/ask.ts'
import type { FailureReason, TestReport } from '../protocol/report.ts'
import type { SharedState } from '../protocol/state.ts'
import type { TestEvent } from '../protocol/test-event.ts'
import { createServe, sharedState } from './run-script.ts'
import { ScriptCrash, ScriptStopped } from './script-error.ts'
import type { ServeRequest } from './served-call.ts'

/** There is almost nothing to do between two tests. */
const betweenTestsMs = 10_000

/** Receives the progress of the tests. */
export interface TestListener {
  /** A test or a phase begins: returns the scope that it works in. */
  begin(name: string, sessionId: string): Scope
  testFinished(name: string, report: TestReport): void
  /** The test failed, whatever was reported before. */
  testFailed(name: string, reason: FailureReason): void
  /** Called after a test or phase, however it ended. */
  end(name: string): void
}

interface Unit {
  name: string
  phase: boolean
  scope: Scope
  serve: ServeRequest
  state: SharedState
  /** Aborts its requests. */
  over: AbortController
}

/** The tests that one worker runs, until they are done or it dies. */
export class TestRound {
  readonly #answering: ScriptRequestHandler
  readonly #listener: TestListener
  /** Ends the worker, when what it does has run out of time. */
  readonly #stop = new AbortController()
  /** The last test that was reported. */
  #last: string | undefined
  #unit: Unit | undefined
  /** Messages may still arrive after it was given up. */
  #over = false
  #stopWatchdog = () => {}
  left: string[]
  broken: { error: unknown } | undefined

  constructor(answering: ScriptRequestHandler, listener: TestListener, tests: string[]) {
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
        // When this is answered, everything reported before has been handled.
        if (ask.kind === 'next_test') return true
        if (this.#unit === undefined) throw new Error('no test is running that could ask for this')
        return this.#unit.serve(ask, asking)
      }) satisfies ServeRequest,
      state: () => this.#unit?.state,
    }
  }

  /** The worker is gone too early: what it was running has failed, and the rest is left for another one. */
  brokeOff(error: unknown): void {
    this.#over = true
    const reason = toFailureReason(error)
    if (this.#unit === undefined) this.#blame(this.#last ?? this.left[0] ?? '', reason)
    else if (this.#unit.phase) this.#phaseFailed(this.#unit.name, reason)
    else this.#blame(this.#unit.name, reason)
    this.#finish()
  }

  /** An error on this side (results that cannot be written) ends the round, and is not a failure of a test. */
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
    const answer = createServe(activate(name, scope.activation), scope, this.#answering)
    const over = new AbortController()
    const serve: ServeRequest = (ask, asking) =>
      answer(ask, { ...asking, signal: AbortSignal.any([asking.signal, over.signal]) })
    this.#unit = { name, phase, scope, serve, over, state: sharedState(scope.context) }
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
    const stop = () => this.#stop.abort(new TimeoutError('its process stopped responding after it'))
    this.#stopWatchdog = startTimer(betweenTestsMs, stop)
  }

  /** Stops the timer: nothing more is awaited. */
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

  /** A failure before the tests fails all of them; a failure after them, the last one. */
  #phaseFailed(name: string, reason: FailureReason): void {
    const told = { ...reason, message: `${name}: ${reason.message}` }
    const failed = this.left.length > 0 ? this.left : [this.#last ?? '']
    for (const test of failed) this.#blame(test, told)
  }
}

function toFailureReason(error: unknown): FailureReason {
  const message = errorMessage(error)
  if (error instanceof ScriptStopped)
    return { ...toFailureReason(error.reason), ...defined({ at: error.at }) }
  if (error instanceof InfrastructureError) return { kind: 'timeout', message, infrastructure: error.kind }
  if (error instanceof TimeoutError) return { kind: 'timeout', message }
  if (!(error instanceof ScriptCrash)) return { kind: 'threw', message }
  return { kind: 'crashed', message, ...(error.crowded && { infrastructure: 'script_error' }) }
}
