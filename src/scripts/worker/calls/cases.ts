import { NotJsonError, toJson } from '../../protocol/json.ts'
import { isFunction } from '../is-function.ts'
import { findExport, LoadError, loadModule } from '../load.ts'

const rules = { whole: 'the default export', rule: 'cases must be plain data' }

/** A case file written as a module: its default export, or what that gives when it is a function. */
export async function readCaseModule(call: { file: string }): Promise<string | undefined> {
  const exported = findExport(await loadModule(call.file), 'default', call.file)
  const value: unknown = isFunction(exported) ? await exported() : exported
  try {
    return toJson(value, rules)
  } catch (error) {
    throw error instanceof NotJsonError ? new LoadError(call.file, error.message) : error
  }
}
