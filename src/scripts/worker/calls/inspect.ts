import type { CallOf, Inspection } from '../../protocol/script-call.ts'
import { exportNames, loadModule } from '../load.ts'
import { classifyCallable } from './agent.ts'

/** Checks whether an export can answer as an agent, without calling it. */
export async function inspect(call: CallOf<'inspect'>): Promise<Inspection> {
  const exports = await loadModule(call.file)
  return { callable: classifyCallable(exports, call.export, call.file), exports: exportNames(exports) }
}
