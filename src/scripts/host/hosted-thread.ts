import nodeModule from 'node:module'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { CallFailure, CrashFailure, RunnerMessage, WorkerMessage } from '../protocol/protocol.ts'
import { describeThrown } from '../protocol/thrown.ts'
import type { WorkerStart } from '../protocol/worker-start.ts'
import type { ModuleService } from './module-service.ts'

const maxHeapMb = 1024

export interface ThreadOptions {
  /** Environment variables that it does not see. */
  withheld: readonly string[]
  shared: boolean
  receive(message: WorkerMessage): void
  /** After its last message. `failure` says why it ended, where that is known. */
  ended(exitCode: number, failure: CallFailure | undefined): void
}

/** A worker thread of the host, with the private port over which it receives its calls. */
export class HostedThread {
  readonly #thread: Worker
  readonly #port: MessagePort
  readonly #doorbell = createCounter()
  readonly #beats = createCounter()

  constructor(
    entry: URL,
    modules: ModuleService,
    hostBeats: Int32Array,
    { withheld, shared, receive, ended }: ThreadOptions,
  ) {
    const { port1, port2 } = new MessageChannel()
    const { line: moduleLine, close: closeLine } = modules.open()
    const start: WorkerStart = {
      port: port2,
      doorbell: this.#doorbell,
      beats: this.#beats,
      hostBeats,
      shared,
      moduleLine,
    }
    this.#port = port1
    this.#thread = new Worker(entry, {
      env: omitVariables(process.env, withheld),
      workerData: start,
      transferList: [port2, moduleLine.port],
      // For `internal-hooks.ts`.
      ...(!('registerHooks' in nodeModule) && { execArgv: [...process.execArgv, '--expose-internals'] }),
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    })
    let failure: CallFailure | undefined
    this.#port.on('message', receive)
    this.#thread.on('error', (error) => {
      failure = toFailure(error)
    })
    this.#thread.on('exit', (code) => {
      for (const message of drainPort(this.#port)) receive(message)
      this.#port.close()
      closeLine()
      ended(code, failure)
    })
  }

  get id(): number {
    return this.#thread.threadId
  }

  /** A number that changes as long as the event loop of the thread turns while it has a call. */
  get beats(): number {
    return Atomics.load(this.#beats, 0)
  }

  post(message: RunnerMessage): void {
    this.#port.postMessage(message)
    Atomics.add(this.#doorbell, 0, 1)
    Atomics.notify(this.#doorbell, 0)
  }

  terminate(): void {
    void this.#thread.terminate()
  }
}

export function createCrash(message: string, ended: CrashFailure['ended'] = 'worker'): CrashFailure {
  return { kind: 'crash', ended, message }
}

export function createCounter(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

function omitVariables(environment: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !names.includes(name)))
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
