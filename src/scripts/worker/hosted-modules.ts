import { receiveMessageOnPort } from 'node:worker_threads'
import type { Compiled } from '../compile/compile.ts'
import type { ImportCondition, Resolution, UserModules } from '../compile/user-modules.ts'
import type { ModuleAnswer, ModuleLine, ModuleRequest } from '../protocol/module-request.ts'
import { addErrorPlace } from '../protocol/place.ts'

// Taken before user code can replace them.
const { load: loadCount, wait } = Atomics

/** The user's modules, found and compiled by the main thread of the host, which is never blocked. */
export class HostedModules implements UserModules {
  readonly #line: ModuleLine

  constructor(line: ModuleLine) {
    this.#line = line
  }

  resolve(parent: string, specifier: string, condition: ImportCondition): Resolution {
    const answer = this.#ask({ kind: 'resolve', parent, specifier, condition })
    return 'resolution' in answer ? answer.resolution : {}
  }

  load(file: string, jsonAsModule: boolean): Compiled | undefined {
    const answer = this.#ask({ kind: 'load', file, jsonAsModule })
    return 'compiled' in answer ? answer.compiled : undefined
  }

  #ask(request: ModuleRequest): Exclude<ModuleAnswer, { error: unknown }> {
    const { port, answers } = this.#line
    port.postMessage(request)
    for (;;) {
      const count = loadCount(answers, 0)
      const next = receiveMessageOnPort(port)
      if (next === undefined) {
        wait(answers, 0, count)
        continue
      }
      const answer = next.message as ModuleAnswer
      if (!('error' in answer)) return answer
      const { name, message, place } = answer.error
      const error = Object.assign(new Error(message), { name })
      throw place === undefined ? error : addErrorPlace(error, place)
    }
  }
}
