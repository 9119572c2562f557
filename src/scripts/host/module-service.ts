import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { createUserModules, type UserModules } from '../compile/user-modules.ts'
import type { ModuleAnswer, ModuleLine, ModuleRequest } from '../protocol/module-request.ts'
import { errorPlace } from '../protocol/place.ts'

/** Compiles modules for all threads of the host, each file once: no thread has to load a compiler. */
export class ModuleService {
  readonly #modules: UserModules = createUserModules()

  /** Opens a line for one thread. `close` ends it. */
  open(): { line: ModuleLine; close(): void } {
    const { port1, port2 } = new MessageChannel()
    const answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    port1.on('message', (request: ModuleRequest) => this.#answer(port1, answers, request))
    return { line: { port: port2, answers }, close: () => port1.close() }
  }

  #answer(port: MessagePort, answers: Int32Array, request: ModuleRequest): void {
    port.postMessage(this.#serve(request))
    Atomics.add(answers, 0, 1)
    Atomics.notify(answers, 0)
  }

  #serve(request: ModuleRequest): ModuleAnswer {
    try {
      if (request.kind === 'load') return { compiled: this.#modules.load(request.file, request.jsonAsModule) }
      return { resolution: this.#modules.resolve(request.parent, request.specifier, request.condition) }
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error))
      return { error: { name, message, place: errorPlace(error) } }
    }
  }
}
