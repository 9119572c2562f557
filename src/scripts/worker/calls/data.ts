import { NotJsonError, toJson } from '../../protocol/json.ts'
import { isFunction } from '../is-function.ts'
import { findExport, LoadError, loadModule } from '../load.ts'

/** Reads a config file: its default export, which must be plain data. */
export async function readData({ file }: { file: string }): Promise<string | undefined> {
  return toPlainJson(file, await findDefault(file), 'config must be plain data, without code')
}

/** Reads a case file written as a module: its default export, or what that returns when it is a function. */
export async function readCaseModule({ file }: { file: string }): Promise<string | undefined> {
  const exported = await findDefault(file)
  return toPlainJson(file, isFunction(exported) ? await exported() : exported, 'cases must be plain data')
}

async function findDefault(file: string): Promise<unknown> {
  return findExport(await loadModule(file), 'default', file)
}

function toPlainJson(file: string, value: unknown, rule: string): string | undefined {
  try {
    return toJson(value, { whole: 'the default export', rule })
  } catch (error) {
    throw error instanceof NotJsonError ? new LoadError(file, error.message) : error
  }
}
