import type { SentEvent } from '../../runner/sent.ts'
import type { Bridge } from '../bridge.ts'
import { withBuiltinsKept } from '../builtins.ts'
import type { Send } from '../context/messaging.ts'
import { withContexts } from '../context/script-context.ts'
import { functionFor, hasFunction, loadModule } from '../load.ts'
import { currentCall } from '../running-call.ts'

interface FunctionCall {
  file: string
  function?: string
  args: unknown[]
  /** A missing function returns nothing. */
  optional?: boolean
}

/** Checks that there is such a function. */
export async function findFunction(asked: Omit<FunctionCall, 'args'>): Promise<object> {
  const module = await loadModule(asked.file)
  if (!asked.optional) functionFor(module, asked.file, asked.function)
  return {}
}

/** Calls a function of a user's script, by the reference of a case or of another script. */
export async function callScript(asked: FunctionCall, bridge: Bridge): Promise<unknown> {
  const module = await loadModule(asked.file)
  if (asked.optional && !hasFunction(module, asked.file, asked.function)) return undefined
  const callee = functionFor(module, asked.file, asked.function)
  // What it leaves behind (timers, promises) must not act in the name of the next call.
  const call = currentCall()
  const print = (line: string) => call?.print(`${line}\n`)
  const send: Send = (id, change) =>
    call === currentCall() && call?.report({ type: 'sent', id, ...change } satisfies SentEvent)
  return await withBuiltinsKept(() => callee(...withContexts(asked.args, bridge, print, send)), print)
}
