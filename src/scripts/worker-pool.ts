import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { AbortReason, CrashFailure, Failure, Outcome, RunnerMessage, WorkerMessage } from './protocol.ts'
import { thrownFailure } from './thrown.ts'

/** How long a call may take to end by itself once it is told to. */
const graceMs = 150
const maxHeapMb = 1024

interface Listener {
  log(id: number, text: string): void
  done(id: number, outcome: Outcome): void
}

interface LeasedWorker {
  thread: Worker
  port: MessagePort
  /** The call it is leased to. */
  call?: number | undefined
  aborted: boolean
  /** Not to be leased again. */
  spoiled: boolean
  /** Why it ends, where it could say so. */
  failure?: Failure
}

/** A worker runs one call at a time and is kept for the next, with its modules loaded. */
export class WorkerPool {
  readonly #entry: URL
  readonly #listener: Listener
  readonly #workers = new Set<LeasedWorker>()
  readonly #idle: LeasedWorker[] = []

  constructor(entry: URL, listener: Listener) {
    this.#entry = entry
    this.#listener = listener
  }

  run(id: number, payload: string): void {
    const worker = this.#idle.pop() ?? this.#start()
    worker.call = id
    worker.aborted = false
    post(worker, { type: 'call', id, payload })
  }

  /** Tells the call; if that does not end it, its worker is terminated, and only that one. */
  abort(id: number, reason: AbortReason): void {
    const worker = [...this.#workers].find(({ call }) => call === id)
    if (worker === undefined) return
    worker.aborted = true
    post(worker, { type: 'abort', id, reason })
    setTimeout(() => {
      if (worker.call === id) this.#retire(worker)
    }, graceMs)
  }

  #start(): LeasedWorker {
    const { port1: port, port2 } = new MessageChannel()
    const thread = new Worker(this.#entry, {
      workerData: { port: port2 },
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    const worker: LeasedWorker = { thread, port, aborted: false, spoiled: false }
    port.on('message', (message: WorkerMessage) => this.#receive(worker, message))
    thread.on('error', (error) => {
      worker.failure = failureOf(error)
    })
    thread.on('exit', (code) => this.#bury(worker, code))
    this.#workers.add(worker)
    return worker
  }

  #receive(worker: LeasedWorker, message: WorkerMessage): void {
    if (message.type === 'log') {
      this.#listener.log(message.id, message.text)
      return
    }
    worker.spoiled ||= message.type === 'spoiled' || message.spoiled
    if (message.type === 'done') {
      worker.call = undefined
      this.#listener.done(message.id, message.outcome)
    }
    if (worker.call !== undefined) return
    if (worker.spoiled) this.#retire(worker)
    else this.#idle.push(worker)
  }

  #retire(worker: LeasedWorker): void {
    worker.spoiled = true
    this.#forgetIdle(worker)
    void worker.thread.terminate()
  }

  /** An end without a "done" is a failure, whatever the exit code. */
  #bury(worker: LeasedWorker, exitCode: number): void {
    for (const message of unread(worker.port)) this.#receive(worker, message)
    worker.port.close()
    this.#workers.delete(worker)
    this.#forgetIdle(worker)
    if (worker.call === undefined) return
    const how = worker.aborted ? 'the script was stopped' : `process.exit(${exitCode}) was called`
    this.#listener.done(worker.call, { ok: false, failure: worker.failure ?? crash(how) })
  }

  #forgetIdle(worker: LeasedWorker): void {
    const index = this.#idle.indexOf(worker)
    if (index >= 0) this.#idle.splice(index, 1)
  }
}

function post(worker: LeasedWorker, message: RunnerMessage): void {
  worker.port.postMessage(message)
}

/** What a thread said before its end may still wait in the port. */
function unread(port: MessagePort): WorkerMessage[] {
  const messages: WorkerMessage[] = []
  for (;;) {
    const next = receiveMessageOnPort(port)
    if (next === undefined) return messages
    messages.push(next.message as WorkerMessage)
  }
}

function failureOf(error: Error): Failure {
  const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfMemory ? crash(`the script ran out of memory (${maxHeapMb} MB)`) : thrownFailure(error)
}

function crash(message: string): CrashFailure {
  return { kind: 'crash', ended: 'worker', message }
}
