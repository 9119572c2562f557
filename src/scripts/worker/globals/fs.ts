import { dirname, resolve } from 'node:path'
import { owningCall } from '../running-call.ts'
import { contentMethods } from './fs-content.ts'
import { entryMethods } from './fs-entries.ts'
import { createPaths } from './fs-paths.ts'
import { createMissingFunctions } from './missing.ts'
import { defineMethods } from './with-methods.ts'

const missingNames = ['Zip', 'Unzip', 'Download', 'ReadCloser'] as const

/** `new FS("data")`: the files below one folder of the app, and no others. */
export class FS {
  readonly name: unknown

  constructor(name: unknown = 'system') {
    this.name = name
    defineMethods(this, fileMethods(name, currentScriptFolder))
  }
}

export function fileMethods(name: unknown, folder: () => string) {
  const paths = createPaths(name, folder)
  const missing = createMissingFunctions(missingNames, (name) => `FS.${name}: viva does not have it`)
  return { ...contentMethods(paths), ...entryMethods(paths), ...missing }
}

/** Looked up at every use: a module keeps an FS that it created when it was loaded. */
function currentScriptFolder(): string {
  const call = owningCall()
  if (call === undefined) throw new Error('FS: there is no running test or script that could use files')
  return dirname(resolve(call.file))
}
