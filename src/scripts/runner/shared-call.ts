import type { ThreadChoice } from '../protocol/protocol.ts'
import type { CallOptions } from './call-options.ts'
import { ScriptCrash } from './script-error.ts'

/** Makes one attempt at a call. */
type Attempt = (thread: ThreadChoice, options: CallOptions) => Promise<unknown>

/**
 * Calls that share a thread. One whose thread ends, through no fault of it that is known, is run once more in a thread of
 * its own; so are all calls of a file that turns out to block its thread.
 */
export class SharedCalls {
  /** Files whose calls block their thread and nevertheless answer. */
  readonly #blocking = new Set<string>()

  async run(file: string, options: CallOptions, attempt: Attempt): Promise<unknown> {
    if (this.#blocking.has(file)) return attempt({ kind: 'watched' }, options)
    const { thread = { kind: 'shared' }, signal, clock = () => performance.now(), refund } = options
    const started = clock()
    try {
      return await attempt(thread, options)
    } catch (error) {
      if (!(error instanceof ScriptCrash) || error.ended !== 'shared' || signal.aborted) throw error
      if (error.blocks) this.#blocking.add(file)
      // What was done in vain is not charged to the case.
      refund?.(clock() - started)
      return this.#runAgain(file, options, attempt)
    }
  }

  async #runAgain(file: string, options: CallOptions, attempt: Attempt): Promise<unknown> {
    options.onRunAgain?.()
    let blocked = false
    const onBlocked = (at: string | undefined) => {
      blocked = true
      options.onBlocked?.(at)
    }
    const result = await attempt({ kind: 'watched' }, { ...options, onBlocked })
    if (blocked) this.#blocking.add(file)
    else options.onMoved?.()
    return result
  }
}
