import { NotJsonError, toJson } from '../../protocol/json.ts'
import { findExport, LoadError, loadModule } from '../load.ts'

const rules = { whole: 'the default export', rule: 'config must be plain data, without code' }

/** Reads a config file: its default export, which must be plain data. */
export async function readData(call: { file: string }): Promise<string | undefined> {
  const value = findExport(await loadModule(call.file), 'default', call.file)
  try {
    return toJson(value, rules)
  } catch (error) {
    throw error instanceof NotJsonError ? new LoadError(call.file, error.message) : error
  }
}
