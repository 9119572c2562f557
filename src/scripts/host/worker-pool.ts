import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type {
  AbortReason,
  CallFailure,
  CrashFailure,
  HostMessage,
  RunnerMessage,
  WorkerMessage,
} from '../protocol/protocol.ts'
import { describeThrown } from '../protocol/thrown.ts'
import { findStuckPlace } from './whereabouts.ts'

/** How long a call may take to end by itself after an abort. */
const graceMs = 150
/** How long a terminated thread may take to end. */
const terminateMs = 2000
const maxHeapMb = 1024
/** Nested calls may need many workers at once; this many are kept for later. */
const maxIdle = 16

interface LeasedWorker {
  thread: Worker
  /** Environment variables that it does not see. */
  withheld: readonly string[]
  port: MessagePort
  /** Rung after every message, because the thread may be blocked waiting for one. */
  doorbell: Int32Array
  /** The call that it is leased to. */
  call?: number | undefined
  aborted: boolean
  /** It must not be leased again. */
  spoiled: boolean
  /** Why it ends, where it could say so. */
  failure?: CallFailure
}

interface PoolOptions {
  tell(message: HostMessage): void
  /** Ends the whole process. */
  giveUp(why: { at?: string | undefined }): void
  disposable: boolean
}

/** A worker runs one call at a time and is kept for the next, with its modules loaded. */
export class WorkerPool {
  readonly #entry: URL
  readonly #options: PoolOptions
  readonly #workers = new Set<LeasedWorker>()
  readonly #idle: LeasedWorker[] = []

  constructor(entry: URL, options: PoolOptions) {
    this.#entry = entry
    this.#options = options
  }

  /** Gives each call a worker of its own, and passes all other messages to the worker of their call. */
  receive(message: RunnerMessage): void {
    if (message.type === 'call') this.#run(message)
    else if (message.type === 'abort') this.#abort(message.id, message.reason)
    else {
      const worker = this.#findWorker(message.id)
      if (worker !== undefined) post(worker, message)
    }
  }

  #run(message: Extract<RunnerMessage, { type: 'call' }>): void {
    const { withheld = [] } = message
    const idle = this.#takeIdle(withheld)
    if (idle === undefined) this.#options.tell({ type: 'starting', id: message.id })
    const worker = idle ?? this.#start(withheld)
    worker.call = message.id
    worker.aborted = false
    post(worker, message)
  }

  #takeIdle(withheld: readonly string[]): LeasedWorker | undefined {
    const worker = this.#idle.findLast((each) => each.withheld.join() === withheld.join())
    if (worker !== undefined) this.#forgetIdle(worker)
    return worker
  }

  #findWorker(id: number): LeasedWorker | undefined {
    for (const worker of this.#workers) if (worker.call === id) return worker
    return undefined
  }

  /** Aborts the call; if that does not end it, its worker is terminated, and only that one. */
  #abort(id: number, reason: AbortReason): void {
    const worker = this.#findWorker(id)
    if (worker === undefined) return
    worker.aborted = true
    post(worker, { type: 'abort', id, reason })
    setTimeout(() => {
      if (worker.call === id) this.#stop(worker, id)
    }, graceMs)
  }

  /** A thread in the middle of garbage collection may take minutes to end. */
  #stop(worker: LeasedWorker, id: number): void {
    if (this.#options.disposable) {
      // Announced at once, so that no other call comes here meanwhile.
      this.#options.tell({ type: 'giving_up' })
      void findStuckPlace(this.#entry).then((at) => this.#options.giveUp({ at }))
      return
    }
    this.#retire(worker)
    setTimeout(() => {
      if (worker.call === id) this.#options.giveUp({})
    }, terminateMs).unref()
  }

  #start(withheld: readonly string[]): LeasedWorker {
    const { port1: port, port2 } = new MessageChannel()
    const doorbell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const thread = new Worker(this.#entry, {
      env: omitVariables(process.env, withheld),
      workerData: { port: port2, doorbell },
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    const worker: LeasedWorker = { thread, withheld, port, doorbell, aborted: false, spoiled: false }
    port.on('message', (message: WorkerMessage) => this.#receive(worker, message))
    thread.on('error', (error) => {
      worker.failure = toFailure(error)
    })
    thread.on('exit', (code) => this.#bury(worker, code))
    this.#workers.add(worker)
    return worker
  }

  #receive(worker: LeasedWorker, message: WorkerMessage): void {
    if (message.type !== 'done' && message.type !== 'spoiled') {
      this.#options.tell(message)
      return
    }
    worker.spoiled ||= message.type === 'spoiled' || message.spoiled
    if (message.type === 'done') {
      worker.call = undefined
      const { spoiled: _, ...done } = message
      this.#options.tell(done)
    }
    if (worker.call !== undefined) return
    if (worker.spoiled || this.#idle.length >= maxIdle) this.#retire(worker)
    else this.#idle.push(worker)
  }

  #retire(worker: LeasedWorker): void {
    worker.spoiled = true
    this.#forgetIdle(worker)
    void worker.thread.terminate()
  }

  /** An end without a "done" is a failure, whatever the exit code. */
  #bury(worker: LeasedWorker, exitCode: number): void {
    for (const message of drainPort(worker.port)) this.#receive(worker, message)
    worker.port.close()
    this.#workers.delete(worker)
    this.#forgetIdle(worker)
    const id = worker.call
    if (id === undefined) return
    // It has ended, so nothing is left to give up on.
    worker.call = undefined
    const how = worker.aborted ? 'the script was stopped' : `process.exit(${exitCode}) was called`
    this.#options.tell({
      type: 'done',
      id,
      outcome: { ok: false, failure: worker.failure ?? createCrash(how) },
    })
  }

  #forgetIdle(worker: LeasedWorker): void {
    const index = this.#idle.indexOf(worker)
    if (index >= 0) this.#idle.splice(index, 1)
  }
}

function omitVariables(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)))
}

function post(worker: LeasedWorker, message: RunnerMessage): void {
  worker.port.postMessage(message)
  Atomics.add(worker.doorbell, 0, 1)
  Atomics.notify(worker.doorbell, 0)
}

/** The last messages of a thread may still be in the port. */
function drainPort(port: MessagePort): WorkerMessage[] {
  const messages: WorkerMessage[] = []
  for (;;) {
    const next = receiveMessageOnPort(port)
    if (next === undefined) return messages
    messages.push(next.message as WorkerMessage)
  }
}

function toFailure(error: Error): CallFailure {
  const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfMemory ? createCrash(`the script ran out of memory (${maxHeapMb} MB)`) : describeThrown(error)
}

function createCrash(message: string): CrashFailure {
  return { kind: 'crash', ended: 'worker', message }
}
