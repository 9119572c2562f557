import type {
  AbortReason,
  CallFailure,
  HostMessage,
  RunnerMessage,
  WorkerMessage,
} from '../protocol/protocol.ts'
import { createCrash, type HostedThread } from './hosted-thread.ts'
import { graceMs, type PoolOptions, placeAfterMs, type SentCall, terminateMs } from './pool-options.ts'
import { PulseWatch } from './pulse-watch.ts'

/** Nested calls may need many workers at once; this many are kept for later. */
const maxIdle = 16

interface LeasedWorker {
  thread: HostedThread
  /** Environment variables that it does not see. */
  withheld: readonly string[]
  /** The session that it is kept for. */
  session: string | undefined
  /** The call that it is leased to. */
  call?: number | undefined
  aborted: boolean
  /** It must not be leased again. */
  spoiled: boolean
  /** What blocks it has been looked for during this call. */
  located: boolean
}

/** A leased worker runs one call at a time, which may block it, and is kept for the next, with its modules loaded. */
export class LeasedWorkers {
  readonly #options: PoolOptions
  readonly #workers = new Set<LeasedWorker>()
  readonly #idle: LeasedWorker[] = []
  readonly #byThread = new Map<HostedThread, LeasedWorker>()
  readonly #watch = new PulseWatch<HostedThread>(
    (thread, stillMs) => this.#onStill(thread, stillMs),
    (thread) => this.#onMoving(thread),
  )

  constructor(options: PoolOptions) {
    this.#options = options
  }

  run(message: SentCall): void {
    const { withheld = [], thread: choice, id } = message
    const session = choice.kind === 'kept' ? choice.session : undefined
    const idle = this.#takeIdle(withheld, session)
    if (idle === undefined) this.#options.tell({ type: 'starting', id })
    const worker = idle ?? this.#start(withheld, session)
    Object.assign(worker, { call: id, aborted: false, located: choice.kind === 'leased' })
    worker.thread.post(message)
    // One that has just been started is watched when it has begun.
    if (idle !== undefined) this.#watchUnlessBlocking(worker)
  }

  /** Passes an answer or a callback to the worker of its call. */
  pass(message: Extract<RunnerMessage, { type: 'answer' | 'callback' }>): void {
    this.#findWorker(message.id)?.thread.post(message)
  }

  /** Aborts the call; if that does not end it, its worker is terminated, and only that one. */
  abort(id: number, reason: AbortReason): void {
    const worker = this.#findWorker(id)
    if (worker === undefined) return
    worker.aborted = true
    worker.thread.post({ type: 'abort', id, reason })
    setTimeout(() => {
      if (worker.call === id) this.#stop(worker, id)
    }, graceMs)
  }

  /** Ends the worker that was kept for the session. */
  release(session: string): void {
    for (const worker of this.#workers) if (worker.session === session) this.#retire(worker)
  }

  #takeIdle(withheld: readonly string[], session: string | undefined): LeasedWorker | undefined {
    const worker = this.#idle.findLast(
      (each) => each.session === session && each.withheld.join() === withheld.join(),
    )
    if (worker !== undefined) this.#forgetIdle(worker)
    return worker
  }

  #findWorker(id: number): LeasedWorker | undefined {
    for (const worker of this.#workers) if (worker.call === id) return worker
    return undefined
  }

  #onStill(thread: HostedThread, stillMs: number): void {
    const worker = this.#byThread.get(thread)
    const id = worker?.call
    if (worker === undefined || id === undefined || worker.located || stillMs < placeAfterMs) return
    worker.located = true
    this.#options.reportBlocked(id, thread)
  }

  #onMoving(thread: HostedThread): void {
    const worker = this.#byThread.get(thread)
    if (worker?.call === undefined || !worker.located) return
    worker.located = false
    this.#options.tell({ type: 'resumed', id: worker.call })
  }

  #watchUnlessBlocking(worker: LeasedWorker): void {
    if (!worker.located) this.#watch.add(worker.thread)
  }

  /** A thread in the middle of garbage collection may take minutes to end. */
  #stop(worker: LeasedWorker, id: number): void {
    const { disposable, tell, giveUp, locate } = this.#options
    if (disposable) {
      // Announced at once, so that no other call comes here meanwhile.
      tell({ type: 'giving_up' })
      void locate(worker.thread).then((at) => giveUp({ at }))
      return
    }
    this.#retire(worker)
    setTimeout(() => {
      if (worker.call === id) giveUp({})
    }, terminateMs).unref()
  }

  #start(withheld: readonly string[], session: string | undefined): LeasedWorker {
    const thread = this.#options.startThread({
      withheld,
      shared: false,
      receive: (message) => this.#receive(worker, message),
      ended: (code, failure) => this.#bury(worker, code, failure),
    })
    const worker: LeasedWorker = { thread, withheld, session, aborted: false, spoiled: false, located: true }
    this.#workers.add(worker)
    this.#byThread.set(thread, worker)
    return worker
  }

  #receive(worker: LeasedWorker, message: WorkerMessage): void {
    if (message.type === 'begun') this.#watchUnlessBlocking(worker)
    if (message.type !== 'done' && message.type !== 'spoiled') {
      this.#options.tell(message)
      return
    }
    worker.spoiled ||= message.type === 'spoiled' || message.spoiled
    if (message.type === 'done') {
      const { spoiled: _, ...done } = message
      this.#end(worker, done)
    }
    if (worker.call !== undefined) return
    // A session keeps its thread in any case: it only hurts itself.
    const ends = worker.session === undefined && (worker.spoiled || this.#idle.length >= maxIdle)
    if (ends) this.#retire(worker)
    else if (!this.#idle.includes(worker)) this.#idle.push(worker)
  }

  #end(worker: LeasedWorker, done: Extract<HostMessage, { type: 'done' }>): void {
    worker.call = undefined
    this.#watch.delete(worker.thread)
    this.#options.tell(done)
  }

  #retire(worker: LeasedWorker): void {
    worker.spoiled = true
    this.#forgetIdle(worker)
    worker.thread.terminate()
  }

  /** An end without a "done" is a failure, whatever the exit code. */
  #bury(worker: LeasedWorker, exitCode: number, failure: CallFailure | undefined): void {
    this.#workers.delete(worker)
    this.#byThread.delete(worker.thread)
    this.#forgetIdle(worker)
    const id = worker.call
    if (id === undefined) return
    const how = worker.aborted ? 'the script was stopped' : `process.exit(${exitCode}) was called`
    this.#end(worker, { type: 'done', id, outcome: { ok: false, failure: failure ?? createCrash(how) } })
  }

  #forgetIdle(worker: LeasedWorker): void {
    const index = this.#idle.indexOf(worker)
    if (index >= 0) this.#idle.splice(index, 1)
  }
}
