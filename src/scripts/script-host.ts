import { setMaxListeners } from 'node:events'
import { HostProcess, type RunningCall } from './host-process.ts'
import { toJson } from './json.ts'
import { createPermits } from './permits.ts'
import type { ScriptCall } from './script-call.ts'
import { errorOf, ScriptCrash } from './script-error.ts'

export type { ScriptCall } from './script-call.ts'

/** How many calls run at once; more wait their turn. */
export const hostThreads = 16

/** Runs the user's code in a process of its own. The runner itself never does. */
export interface ScriptHost {
  /**
   * Throws `ScriptLoadError`, `ScriptThrew` or `ScriptCrash`; when the signal aborts, at once its reason,
   * and the code is stopped whatever it does.
   */
  call(call: ScriptCall, options: CallOptions): Promise<unknown>
  /** Ends the process and every call in flight. */
  close(): Promise<void>
}

export interface CallOptions {
  signal: AbortSignal
  /** What the user's code prints. */
  onLog?: (line: string) => void
  /** No other call is under way at the same time: if the process dies, it is clear whose doing it was. */
  alone?: boolean
}

/** `permits`: how many calls run at once; further ones wait. The process is started by the first call. */
export function createScriptHost(options: { permits?: number } = {}): ScriptHost {
  const permits = createPermits(options.permits ?? hostThreads)
  let process: HostProcess | undefined
  let closed = false

  return {
    async call(call, { signal, onLog = () => {}, alone = false }) {
      if (closed) throw closedError()
      const payload =
        toJson(call, { whole: 'the call', rule: 'only JSON data can be given to a script' }) ?? ''
      // One signal may well stop a hundred calls.
      setMaxListeners(0, signal)
      const giveBack = await (alone ? permits.takeAll(signal) : permits.take(signal))
      try {
        if (closed) throw closedError()
        signal.throwIfAborted()
        if (!process?.isAlive()) process = new HostProcess()
      } catch (error) {
        giveBack()
        throw error
      }
      const running = process.run(payload, onLog)
      // Not when the caller is answered: an aborted call holds its worker until it has really ended.
      void running.ended.then(giveBack)
      return answerOrAbort(running, signal)
    },
    async close() {
      closed = true
      permits.close(closedError())
      await process?.close()
    },
  }
}

async function answerOrAbort(running: RunningCall, signal: AbortSignal): Promise<unknown> {
  const finished = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => {
      running.abort(signal.reason)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true, signal: finished.signal })
  })
  const outcome = await Promise.race([running.ended, aborted])
  finished.abort()
  if (!outcome.ok) throw errorOf(outcome.failure)
  return outcome.json === undefined ? undefined : JSON.parse(outcome.json)
}

function closedError(): ScriptCrash {
  return new ScriptCrash({ kind: 'crash', ended: 'host', message: 'the script host was closed' })
}
