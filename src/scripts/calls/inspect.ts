import { exportNames, loadModule } from '../load.ts'
import type { Inspection } from '../script-call.ts'
import { answerOf } from './agent.ts'

/** Whether an export can answer as an agent, without asking it. */
export async function inspect(call: { file: string; export: string }): Promise<Inspection> {
  const exports = await loadModule(call.file)
  return { callable: answerOf(exports, call.export, call.file).callable, exports: exportNames(exports) }
}
