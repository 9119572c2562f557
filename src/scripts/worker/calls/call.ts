import type { CallOf } from '../../protocol/script-call.ts'
import { findFunctionExport, loadModule } from '../load.ts'

/** Calls a function of a user's module. */
export async function callFunction(call: CallOf<'call'>): Promise<unknown> {
  const callee = findFunctionExport(await loadModule(call.file), call.export, call.file)
  return await callee(...call.args)
}
