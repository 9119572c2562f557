import type { ChildProcess } from 'node:child_process'
import { errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Environment } from '../../system/environment.ts'
import { Owner } from '../../system/owner.ts'
import { killGroup } from '../../system/process-group.ts'
import type { HostSettings } from '../protocol/host-settings.ts'
import type { MemoryBudget } from '../protocol/memory-budget.ts'
import type {
  CallOutcome,
  CrashFailure,
  HostMessage,
  RunnerMessage,
  ThreadChoice,
} from '../protocol/protocol.ts'
import type { StateChanges } from '../protocol/state.ts'
import { collectOutput, describeEnd, doNotKeepRunnerAlive, forkHost } from './host-child.ts'
import { type CallListener, PendingCall, type RequestListener } from './pending-call.ts'

/** How long a process may take to confirm the end of a call before it is killed. `WorkerPool` confirms earlier. */
const confirmMs = { disposable: 900, shared: 3000 }

/** How many ended calls are remembered, for errors that come later. */
const maxRemembered = 200

export interface HostCall {
  /** Always comes, also when the process dies. */
  ended: Promise<CallOutcome>
  abort(reason: unknown): void
  answer(ask: number, outcome: CallOutcome, changes: StateChanges | undefined): void
  /** Runs a function of the worker's. */
  callBack(callback: number, fn: number, payload: string, changes: StateChanges | undefined): void
}

export interface OutgoingCall {
  /** A `CallPayload` as JSON. */
  payload: string
  /** Environment variables that the code must not see. */
  withheld: readonly string[] | undefined
  thread: ThreadChoice
}

/** The runner's side of one script-host process, started at once. */
export class HostProcess {
  readonly #owner = new Owner()
  readonly #child: ChildProcess
  readonly #calls = new Map<number, PendingCall>()
  /** The last calls that ended: what they left running may still break. */
  readonly #ended = new Map<number, CallListener>()
  readonly #output: () => string
  readonly #gone: Promise<void>
  readonly #confirmMs: number
  #lastId = 0
  #closing = false
  #dead = false
  /** Why it ended itself and where the script was, if it said so. */
  #endReason: Partial<Pick<CrashFailure, 'at' | 'crowded'>> & { reason?: string } = {}
  readonly #memory: MemoryBudget

  constructor(settings: HostSettings, memory: MemoryBudget, { env, cwd }: { env: Environment; cwd: string }) {
    this.#memory = memory
    this.#child = forkHost(settings, { env: { ...env, ...this.#owner.environment }, cwd })
    this.#confirmMs = settings.disposable ? confirmMs.disposable : confirmMs.shared
    this.#output = collectOutput(this.#child, (text) => this.#printUnnamed(text))
    this.#child.on('message', (message: HostMessage) => this.#hear(message))
    this.#gone = this.#waitForEnd()
    doNotKeepRunnerAlive(this.#child)
  }

  isAlive(): boolean {
    return !this.#dead && this.#child.connected
  }

  run(
    { payload, withheld, thread }: OutgoingCall,
    listener: CallListener,
    requests: RequestListener,
  ): HostCall {
    this.#lastId += 1
    const id = this.#lastId
    this.#child.ref()
    const ended = new Promise<CallOutcome>((settle) => {
      this.#calls.set(id, new PendingCall(listener, requests, settle))
    })
    this.#send({ type: 'call', id, payload, withheld, thread })
    return {
      ended,
      abort: (reason) => this.#abort(id, reason),
      answer: (ask, outcome, changes) => this.#send({ type: 'answer', id, ask, outcome, changes }),
      callBack: (callback, fn, callbackPayload, changes) =>
        this.#send({ type: 'callback', id, callback, fn, payload: callbackPayload, changes }),
    }
  }

  /** Ends the thread that was kept for the session. */
  release(session: string): void {
    this.#send({ type: 'release', session })
  }

  /** The user's code may have stopped the whole process, so that nobody there receives the abort. */
  #abort(id: number, reason: unknown): void {
    this.#send({ type: 'abort', id, reason: nameAndMessage(reason) })
    const why = { reason: 'the script host stopped responding and was killed' }
    this.#calls.get(id)?.expectEnd(this.#confirmMs, () => this.#kill(why))
  }

  exceeded(reason: string, crowded: boolean): void {
    this.#kill({ reason, crowded })
  }

  #kill(why: { reason: string; crowded?: boolean }): void {
    this.#dead = true
    this.#endReason = { ...why, ...this.#endReason }
    killGroup(this.#child)
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#child.ref()
    // Terminating its threads one by one takes a quarter of a second, and does not let them clean up more.
    killGroup(this.#child)
    await this.#gone
  }

  #send(message: RunnerMessage): void {
    // A process that just died cannot be written to; its `exit` event is about to come and says more.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  /** Whatever a script sends must not end the runner. */
  #hear(message: HostMessage): void {
    try {
      this.#receive(message)
    } catch (error) {
      if (message.type === 'giving_up' || message.type === 'memory') return
      const failure: CrashFailure = {
        kind: 'crash',
        ended: 'worker',
        message: `the script sent a message that cannot be understood: ${errorMessage(error)}`,
      }
      this.#send({ type: 'abort', id: message.id, reason: { name: 'Error', message: failure.message } })
      this.#settle(message.id, { ok: false, failure })
    }
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'giving_up':
        this.#dead = true
        this.#endReason = { ...this.#endReason, ...defined({ reason: message.reason, at: message.at }) }
        return
      case 'memory':
        if (this.isAlive()) this.#memory.note(this, message.usedMb)
        return
      case 'late_error':
        this.#ended.get(message.id)?.lateError(message.text)
        return
      default:
        this.#calls.get(message.id)?.receive(message)
        if (message.type === 'done') this.#settle(message.id, message.outcome)
    }
  }

  #settle(id: number, outcome: CallOutcome): void {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    if (call !== undefined) this.#remember(id, call.listener)
    // While it is being closed, its end is awaited.
    if (this.#calls.size === 0 && !this.#closing) this.#child.unref()
    call?.end(outcome)
  }

  #remember(id: number, listener: CallListener): void {
    this.#ended.set(id, listener)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > maxRemembered && oldest !== undefined) this.#ended.delete(oldest)
  }

  /** Output that does not come through a worker has no call id; with one call in flight it is clear whose it is. */
  #printUnnamed(text: string): void {
    if (this.#calls.size === 1) for (const call of this.#calls.values()) call.print(text)
  }

  async #waitForEnd(): Promise<void> {
    const how = await describeEnd(this.#child, this.#output)
    this.#dead = true
    this.#memory.release(this)
    // Ends what the user's code started and left behind.
    killGroup(this.#child)
    this.#owner.killOwnedSoon()
    const { reason, ...where } = this.#endReason
    const message = reason ?? `the script host ${this.#closing ? 'was closed' : how}`
    const output = this.#output()
    const failure: CrashFailure = { kind: 'crash', ended: 'host', message, output, ...where }
    for (const id of this.#calls.keys()) this.#settle(id, { ok: false, failure })
  }
}

function nameAndMessage(reason: unknown): { name: string; message: string } {
  return { name: reason instanceof Error ? reason.name : 'AbortError', message: errorMessage(reason) }
}
