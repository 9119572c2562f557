import type { CallOf, Inspection } from '../../protocol/script-call.ts'
import { exportNames, findExport, loadModule } from '../load.ts'
import { classifyCallable, ignoresContext } from './agent.ts'
import { listAiSdkTools } from './ai-sdk.ts'

/** Checks whether an export can answer as an agent, without calling it. */
export async function inspect(call: CallOf<'inspect'>): Promise<Inspection> {
  const exports = await loadModule(call.file)
  const callable = classifyCallable(exports, call.export, call.file)
  const value = findExport(exports, call.export, call.file)
  const tools = listAiSdkTools(value)
  return {
    callable,
    exports: exportNames(exports),
    ...(tools !== undefined && { tools }),
    ...(ignoresContext(value) && { ignoresContext: true }),
  }
}
