import type { Bridge } from '../bridge.ts'
import { withBuiltinsKept } from '../builtins.ts'
import { withContexts } from '../context/script-context.ts'
import { functionFor, loadModule } from '../load.ts'
import { currentCall } from '../running-call.ts'
import type { SentEvent } from '../sent.ts'

interface FunctionCall {
  file: string
  function?: string
  args: unknown[]
}

/** Whether there is such a function. */
export async function findFunction(call: Pick<FunctionCall, 'file' | 'function'>): Promise<object> {
  functionFor(await loadModule(call.file), call.file, call.function)
  return {}
}

/** A function of a user's script, by the reference of a case or of another script. */
export async function callScript(call: FunctionCall, bridge: Bridge): Promise<unknown> {
  const callee = functionFor(await loadModule(call.file), call.file, call.function)
  const print = (line: string) => currentCall()?.print(`${line}\n`)
  const send = (id: string, text: string) =>
    currentCall()?.report({ type: 'sent', id, text } satisfies SentEvent)
  return withBuiltinsKept(() => callee(...withContexts(call.args, bridge, print, send)), print)
}
