import type { RunnerMessage } from '../protocol/protocol.ts'
import { HostedThread } from './hosted-thread.ts'
import { LeasedWorkers } from './leased-workers.ts'
import { ModuleService } from './module-service.ts'
import type { HostActions, PoolOptions } from './pool-options.ts'
import { SharedWorkers } from './shared-workers.ts'
import { Whereabouts } from './whereabouts.ts'

/** Gives each call a worker, and passes all other messages to the worker of their call. */
export class WorkerPool {
  readonly #leased: LeasedWorkers
  readonly #shared: SharedWorkers

  constructor(entry: URL, actions: HostActions) {
    const whereabouts = new Whereabouts()
    const modules = new ModuleService()
    const locate = (thread: HostedThread) => whereabouts.locate(thread.id)
    const options: PoolOptions = {
      ...actions,
      startThread: (how) => new HostedThread(entry, modules, actions.beats, how),
      locate,
      reportBlocked: (id, thread) =>
        void locate(thread).then((at) =>
          actions.tell({ type: 'blocked', id, ...(at !== undefined && { at }) }),
        ),
    }
    this.#leased = new LeasedWorkers(options)
    this.#shared = new SharedWorkers(options)
  }

  receive(message: RunnerMessage): void {
    switch (message.type) {
      case 'call':
        if (message.thread.kind === 'shared') this.#shared.run(message)
        else this.#leased.run(message)
        break
      case 'abort':
        this.#leased.abort(message.id, message.reason)
        this.#shared.abort(message.id, message.reason)
        break
      case 'release':
        this.#leased.release(message.session)
        this.#shared.release(message.session)
        break
      default:
        this.#leased.pass(message)
        this.#shared.pass(message)
    }
  }
}
