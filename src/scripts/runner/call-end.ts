import type { HostCall } from './host-process.ts'
import { ScriptStopped, toScriptError } from './script-error.ts'

/** Waits for the result of a call. When one of the signals is aborted, it rejects with its reason at once. */
export async function waitForEndOrAbort(running: HostCall, ends: readonly AbortSignal[]): Promise<unknown> {
  const finished = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    for (const end of ends) {
      const onAbort = () => {
        running.abort(end.reason)
        reject(end.reason)
      }
      end.addEventListener('abort', onAbort, { once: true, signal: finished.signal })
    }
  })
  const outcome = await Promise.race([running.ended, aborted])
  finished.abort()
  if (!outcome.ok) throw toScriptError(outcome.failure)
  return outcome.json === undefined ? undefined : JSON.parse(outcome.json)
}

/** When the call is the only one in its process, its end is awaited: it says where the script was. */
export async function waitForEndOrStop(running: HostCall, ends: readonly AbortSignal[]): Promise<unknown> {
  try {
    return await waitForEndOrAbort(running, ends)
  } catch (error) {
    const end = ends.find(({ aborted }) => aborted)
    if (end === undefined) throw error
    const outcome = await running.ended
    const at = !outcome.ok && outcome.failure.kind === 'crash' ? outcome.failure.at : undefined
    throw new ScriptStopped(end.reason, at)
  }
}
