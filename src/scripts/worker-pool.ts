import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { AbortReason, Failure, Outcome, RunnerMessage, WorkerMessage } from './protocol.ts'
import { thrownFailure } from './thrown.ts'

/** How long a call may take to end by itself once it is told to. */
const GRACE_MS = 150
const MAX_HEAP_MB = 1024

interface Listener {
  log(id: number, text: string): void
  done(id: number, outcome: Outcome): void
}

export interface WorkerPool {
  run(id: number, payload: string): void
  /** Tells the call; if that does not end it, its worker is terminated, and only that one. */
  abort(id: number, reason: AbortReason): void
}

interface LeasedWorker {
  thread: Worker
  port: MessagePort
  /** The call it is leased to. */
  call?: number | undefined
  spoiled: boolean
  aborted: boolean
  /** Why it ends, where it could say so. */
  failure?: Failure
}

/** A worker runs one call at a time and is kept for the next, with its modules loaded. */
export function createWorkerPool(entry: URL, listener: Listener): WorkerPool {
  const workers = new Set<LeasedWorker>()
  const idle: LeasedWorker[] = []

  function start(): LeasedWorker {
    const { port1: port, port2 } = new MessageChannel()
    const thread = new Worker(entry, {
      workerData: { port: port2 },
      transferList: [port2],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const worker: LeasedWorker = { thread, port, spoiled: false, aborted: false }
    port.on('message', (message: WorkerMessage) => receive(worker, message))
    thread.on('error', (error) => {
      worker.failure = failureOf(error)
    })
    thread.on('exit', (code) => bury(worker, code))
    workers.add(worker)
    return worker
  }

  function receive(worker: LeasedWorker, message: WorkerMessage): void {
    if (message.type === 'log') {
      listener.log(message.id, message.text)
      return
    }
    worker.spoiled ||= message.type === 'spoiled' || message.spoiled
    if (message.type === 'done') {
      worker.call = undefined
      listener.done(message.id, message.outcome)
    }
    if (worker.call !== undefined) return
    if (worker.spoiled) retire(worker)
    else idle.push(worker)
  }

  function retire(worker: LeasedWorker): void {
    worker.spoiled = true
    remove(idle, worker)
    void worker.thread.terminate()
  }

  function bury(worker: LeasedWorker, exitCode: number): void {
    // What it said before its end may still wait in the port.
    for (
      let left = receiveMessageOnPort(worker.port);
      left !== undefined;
      left = receiveMessageOnPort(worker.port)
    ) {
      receive(worker, left.message as WorkerMessage)
    }
    worker.port.close()
    workers.delete(worker)
    remove(idle, worker)
    if (worker.call === undefined) return
    const failure =
      worker.failure ??
      crash(worker.aborted ? 'the script was stopped' : `process.exit(${exitCode}) was called`)
    listener.done(worker.call, { ok: false, failure })
  }

  return {
    run(id, payload) {
      const worker = idle.pop() ?? start()
      worker.call = id
      worker.aborted = false
      const message: RunnerMessage = { type: 'call', id, payload }
      worker.port.postMessage(message)
    },
    abort(id, reason) {
      const worker = [...workers].find(({ call }) => call === id)
      if (worker === undefined) return
      worker.aborted = true
      const message: RunnerMessage = { type: 'abort', id, reason }
      worker.port.postMessage(message)
      setTimeout(() => {
        if (worker.call === id) retire(worker)
      }, GRACE_MS)
    },
  }
}

function failureOf(error: Error): Failure {
  const outOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
  return outOfMemory ? crash(`the script ran out of memory (${MAX_HEAP_MB} MB)`) : thrownFailure(error)
}

function crash(message: string): Failure {
  return { kind: 'crash', ended: 'worker', message }
}

function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item)
  if (index >= 0) list.splice(index, 1)
}
