import type { CallOf } from '../../protocol/script-call.ts'
import type { SentEvent } from '../../protocol/sent.ts'
import type { Bridge } from '../bridge.ts'
import { preserveBuiltins } from '../builtins.ts'
import type { Send } from '../context/messaging.ts'
import { restoreContexts } from '../context/script-context.ts'
import { findReferencedFunction, hasFunction, loadModule } from '../load.ts'
import { owningCall } from '../running-call.ts'

/** Checks that there is such a function. */
export async function findFunction(request: CallOf<'find_function'>): Promise<object> {
  const module = await loadModule(request.file)
  if (!request.optional) findReferencedFunction(module, request.file, request.function)
  return {}
}

/** Calls a function of a user's script, by the reference of a case or of another script. */
export async function callScript(request: CallOf<'script'>, bridge: Bridge): Promise<unknown> {
  const module = await loadModule(request.file)
  if (request.optional && !hasFunction(module, request.file, request.function)) return undefined
  const callee = findReferencedFunction(module, request.file, request.function)
  // What it leaves behind (timers, promises) must not act in the name of the next call.
  const call = owningCall()
  const print = (line: string) => call?.print(`${line}\n`)
  const send: Send = (id, change) =>
    !call?.ended && call?.report({ type: 'sent', id, ...change } satisfies SentEvent)
  return await preserveBuiltins(() => callee(...restoreContexts(request.args, bridge, print, send)), print)
}
