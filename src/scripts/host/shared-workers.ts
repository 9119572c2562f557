import type {
  AbortReason,
  CallFailure,
  CallOutcome,
  RunnerMessage,
  WorkerMessage,
} from '../protocol/protocol.ts'
import { sharedThreads } from '../protocol/shared-threads.ts'
import { createCrash, type HostedThread } from './hosted-thread.ts'
import { graceMs, type PoolOptions, placeAfterMs, type SentCall, terminateMs } from './pool-options.ts'
import { PulseWatch } from './pulse-watch.ts'

/** After how long the deadlines of the calls in a thread begin to move. */
const stallMs = 100
/** After how long a thread that stands still gets no more calls until it goes on. */
const avoidMs = 500
/** How many threads that stand still, or are about to end, are replaced by others. */
const maxStill = 4
/** A thread that stands still for longer is taken for blocked. Code that is merely busy takes less. */
const blockedMs = 3000

interface SharedCall {
  /** Its deadline moves, because the thread stands still. */
  stalled: boolean
  /** For how long the thread had stood still when the call came. */
  stillBefore: number
  isLoading: boolean
  /** What blocks the thread has been looked for. */
  located: boolean
}

interface SharedWorker {
  thread: HostedThread
  calls: Map<number, SharedCall>
  begun: boolean
  stillMs: number
  /** How many of its calls were aborted a moment ago. */
  aborting: number
  /** It gets no more calls, and ends after the last one. */
  retired: boolean
}

/** A shared worker runs many calls at once, which wait for I/O. None of them may hurt the others. */
export class SharedWorkers {
  readonly #options: PoolOptions
  readonly #workers = new Map<HostedThread, SharedWorker>()
  readonly #sessions = new Map<string, SharedWorker>()
  readonly #watch = new PulseWatch<HostedThread>(
    (thread, stillMs) => this.#onStill(thread, stillMs),
    (thread) => this.#onMoving(thread),
  )

  constructor(options: PoolOptions) {
    this.#options = options
  }

  run(message: SentCall): void {
    const worker = this.#place(message)
    worker.calls.set(message.id, {
      stalled: false,
      stillBefore: worker.stillMs,
      isLoading: false,
      located: false,
    })
    if (worker.begun) this.#watch.add(worker.thread)
    else this.#options.tell({ type: 'starting', id: message.id })
    worker.thread.post(message)
  }

  /** What a module keeps in memory of a conversation is in one thread: all calls of a session go there. */
  #place({ id, thread: choice }: SentCall): SharedWorker {
    const { slot, session } = choice.kind === 'shared' ? choice : {}
    const known = session === undefined ? undefined : this.#sessions.get(session)
    if (known !== undefined && !known.retired) return known
    const worker = this.#choose(slot)
    if (session !== undefined) this.#sessions.set(session, worker)
    if (known !== undefined) this.#options.tell({ type: 'moved', id })
    return worker
  }

  pass(message: Extract<RunnerMessage, { type: 'answer' | 'callback' }>): void {
    this.#findWorker(message.id)?.thread.post(message)
  }

  release(session: string): void {
    this.#sessions.delete(session)
  }

  /** A call that ignores its abort is given up, and its worker ends as soon as its neighbours have ended. */
  abort(id: number, reason: AbortReason): void {
    const worker = this.#findWorker(id)
    if (worker === undefined) return
    worker.thread.post({ type: 'abort', id, reason })
    // Code that does not end may have damaged the thread: until that is known, it gets no call of another case.
    worker.aborting += 1
    setTimeout(() => {
      worker.aborting -= 1
      if (!worker.calls.has(id)) return
      worker.retired = true
      this.#end(worker, id, { ok: false, failure: createCrash('the script was stopped') })
      // A thread inside a system call cannot be terminated.
      if (worker.calls.size === 0) setTimeout(() => this.#insist(worker), terminateMs).unref()
    }, graceMs)
  }

  #insist(worker: SharedWorker): void {
    if (this.#workers.has(worker.thread)) this.#options.giveUp({})
  }

  #findWorker(id: number): SharedWorker | undefined {
    for (const worker of this.#workers.values()) if (worker.calls.has(id)) return worker
    return undefined
  }

  /** The one with the fewest calls, or another one if all have many. */
  #choose(slot: number | undefined): SharedWorker {
    const usable = [...this.#workers.values()].filter(
      ({ retired, aborting, stillMs }) => !retired && aborting === 0 && stillMs < avoidMs,
    )
    if (slot !== undefined) return usable[slot] ?? this.#start()
    const calls = usable.reduce((sum, worker) => sum + worker.calls.size, 1)
    const mayStart = this.#workers.size < sharedThreads(calls) + maxStill
    if (usable.length < sharedThreads(calls) && mayStart) return this.#start()
    if (usable.length === 0) usable.push(...this.#workers.values())
    return usable.reduce((one, other) => (other.calls.size < one.calls.size ? other : one))
  }

  #start(): SharedWorker {
    const thread = this.#options.startThread({
      withheld: [],
      shared: true,
      receive: (message) => this.#receive(worker, message),
      ended: (code, failure) => this.#bury(worker, code, failure),
    })
    const worker: SharedWorker = {
      thread,
      calls: new Map(),
      begun: false,
      stillMs: 0,
      aborting: 0,
      retired: false,
    }
    this.#workers.set(thread, worker)
    return worker
  }

  #receive(worker: SharedWorker, message: WorkerMessage): void {
    switch (message.type) {
      case 'begun':
        this.#begin(worker)
        return
      case 'spoiled':
        this.#retire(worker)
        return
      case 'done': {
        const { spoiled, ...done } = message
        if (spoiled) worker.retired = true
        // The result of a call that was given up is ignored.
        if (worker.calls.has(done.id)) this.#end(worker, done.id, done.outcome, done.changes)
        return
      }
      default:
        this.#noteLoading(worker, message)
        this.#options.tell(message)
    }
  }

  /** Calls may have been sent to the thread while it was starting. */
  #begin(worker: SharedWorker): void {
    worker.begun = true
    for (const id of worker.calls.keys()) this.#options.tell({ type: 'begun', id })
    if (worker.calls.size > 0) this.#watch.add(worker.thread)
  }

  #noteLoading(worker: SharedWorker, { type, id }: { type: string; id: number }): void {
    const call = worker.calls.get(id)
    if (call !== undefined && (type === 'loading' || type === 'loaded')) call.isLoading = type === 'loading'
  }

  #onStill(thread: HostedThread, stillMs: number): void {
    const worker = this.#workers.get(thread)
    if (worker === undefined) return
    worker.stillMs = stillMs
    const calls = [...worker.calls.values()]
    const [only, ...others] = worker.calls
    if (only !== undefined && others.length === 0 && !only[1].stalled) this.#onLoneStill(worker, ...only)
    else if (stillMs >= blockedMs && !calls.some(({ isLoading }) => isLoading))
      this.#displace(worker, `its thread was blocked for ${blockedMs / 1000}s, by it or by another call`)
    else if (stillMs >= stallMs) this.#stall(worker)
  }

  /** A call that hurts no other one may go on until its time is over. */
  #onLoneStill({ thread, stillMs }: SharedWorker, id: number, call: SharedCall): void {
    if (call.located || call.isLoading || stillMs < placeAfterMs) return
    call.located = true
    this.#options.reportBlocked(id, thread)
  }

  /** It is not known which call is to blame, so none may time out meanwhile. */
  #stall({ calls, stillMs }: SharedWorker): void {
    for (const [id, call] of calls) {
      if (call.stalled) continue
      call.stalled = true
      this.#options.tell({ type: 'stalled', id, forMs: stillMs - call.stillBefore })
    }
  }

  #onMoving(thread: HostedThread): void {
    const worker = this.#workers.get(thread)
    if (worker === undefined || worker.stillMs === 0) return
    worker.stillMs = 0
    for (const [id, call] of worker.calls) {
      if (call.stalled || call.located) this.#options.tell({ type: 'resumed', id })
      Object.assign(call, { stalled: false, stillBefore: 0, located: false })
    }
  }

  /** Ends the thread; its calls are run again elsewhere. */
  #displace(worker: SharedWorker, why: string): void {
    worker.retired = true
    for (const id of [...worker.calls.keys()])
      this.#end(worker, id, { ok: false, failure: createCrash(why, 'shared') })
  }

  #end(
    worker: SharedWorker,
    id: number,
    outcome: CallOutcome,
    changes?: Extract<WorkerMessage, { type: 'done' }>['changes'],
  ): void {
    worker.calls.delete(id)
    if (worker.calls.size === 0) this.#watch.delete(worker.thread)
    this.#options.tell({ type: 'done', id, outcome, ...(changes !== undefined && { changes }) })
    if (worker.retired) this.#retire(worker)
  }

  #retire(worker: SharedWorker): void {
    worker.retired = true
    if (worker.calls.size === 0) worker.thread.terminate()
  }

  /** With one call in flight, it is clear which one ended the thread. */
  #bury(worker: SharedWorker, exitCode: number, failure: CallFailure | undefined): void {
    this.#workers.delete(worker.thread)
    this.#watch.delete(worker.thread)
    worker.retired = true
    const crash = failure ?? createCrash(`process.exit(${exitCode}) was called`)
    if (worker.calls.size > 1) this.#displace(worker, `its thread ended: ${crash.message}`)
    else for (const id of [...worker.calls.keys()]) this.#end(worker, id, { ok: false, failure: crash })
  }
}
