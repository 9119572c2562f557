import { startTimer } from '../../scope/deadline.ts'
import { createLineJoiner } from '../protocol/output.ts'
import type { CallOutcome, HostMessage } from '../protocol/protocol.ts'
import type { StateChanges } from '../protocol/state.ts'

/** Receives what a call reports before it ends. */
export interface CallListener {
  /** A thread is being started, which does not count as time of the call. */
  starting(begun: Promise<void>): void
  /** The user's code is being loaded, which does not count as time of the call either. */
  loading(loaded: Promise<void>): void
  /** Another call may block the thread, for `forMs` by now, which does not count as time of this one. */
  stalled(resumed: Promise<void>, forMs: number): void
  /** The call blocks its own thread, at `file:line` if that is known. */
  blocked(at: string | undefined): void
  /** It goes on. */
  unblocked(): void
  /** What earlier calls of its session had kept in memory is lost. */
  moved(): void
  log(line: string): void
  /** An error that nobody awaited occurred after the call had ended; `text` is its stack. */
  lateError(text: string): void
  event(event: object): void
}

/** Receives the requests of a call, and what comes with them. */
export interface RequestListener {
  ask(message: AskMessage): void
  callbackDone(message: CallbackDoneMessage): void
  /** The last changes that the call made to the shared state. */
  changed(changes: StateChanges): void
}

export type AskMessage = Extract<HostMessage, { type: 'ask' }>
export type CallbackDoneMessage = Extract<HostMessage, { type: 'callback_done' }>

type CallMessage = Exclude<HostMessage, { type: 'memory' | 'giving_up' | 'late_error' }>

/** A call that has not ended: passes on what its worker reports. */
export class PendingCall {
  readonly listener: CallListener
  readonly #requests: RequestListener
  readonly #settle: (outcome: CallOutcome) => void
  readonly #lines: ReturnType<typeof createLineJoiner>
  /** Lets a process live that was told to end the call. */
  #confirmed: (() => void) | undefined
  /** Called when the thread has started, its code is loaded or it moves again, or when it never will. */
  readonly #awaited = new Map<'begun' | 'loaded' | 'resumed', () => void>()

  constructor(listener: CallListener, requests: RequestListener, settle: (outcome: CallOutcome) => void) {
    this.listener = listener
    this.#requests = requests
    this.#settle = settle
    this.#lines = createLineJoiner((line) => listener.log(line))
  }

  receive(message: CallMessage): void {
    switch (message.type) {
      case 'starting':
        this.listener.starting(this.#until('begun'))
        break
      case 'loading':
        this.listener.loading(this.#until('loaded'))
        break
      case 'stalled':
        this.listener.stalled(this.#until('resumed'), message.forMs)
        break
      case 'resumed':
        this.listener.unblocked()
        this.#awaited.get(message.type)?.()
        break
      case 'moved':
        this.listener.moved()
        break
      case 'begun':
      case 'loaded':
        this.#awaited.get(message.type)?.()
        break
      case 'blocked':
        this.listener.blocked(message.at)
        break
      case 'log':
        this.print(message.text)
        break
      case 'event':
        // Its earlier output comes first.
        this.#lines.end()
        this.listener.event(message.event)
        break
      case 'ask':
        this.#requests.ask(message)
        break
      case 'callback_done':
        this.#requests.callbackDone(message)
        break
      case 'done':
        if (message.changes !== undefined) this.#requests.changed(message.changes)
    }
  }

  /** Resolves when the thread says so, or the call ends. */
  #until(what: 'begun' | 'loaded' | 'resumed'): Promise<void> {
    return new Promise((resolve) => {
      this.#awaited.set(what, resolve)
    })
  }

  print(text: string): void {
    this.#lines.write(text)
  }

  /** Calls back if the call has not ended by then. */
  expectEnd(withinMs: number, overdue: () => void): void {
    this.#confirmed ??= startTimer(withinMs, overdue)
  }

  end(outcome: CallOutcome): void {
    this.#lines.end()
    this.#confirmed?.()
    for (const resolve of this.#awaited.values()) resolve()
    this.#settle(outcome)
  }
}
