import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findNearest } from '../../text/nearest.ts'
import { findDeclarations } from '../compile/open-module.ts'
import { isClass } from '../protocol/json.ts'
import { codeFrame, errorPlace, fileUrlToPath, type Place } from '../protocol/place.ts'
import type { LoadFailure } from '../protocol/protocol.ts'
import { findPlaceInFrames } from '../protocol/thrown.ts'
import { isFunction, type UserFunction } from './is-function.ts'
import { owningCall } from './running-call.ts'
import { typeWords } from './type-words.ts'

/** A user's module that cannot be used; the failure is sent out of the worker. */
export class LoadError extends Error {
  readonly failure: LoadFailure

  constructor(file: string, message: string, place?: Place) {
    super(message)
    this.failure = { kind: 'load', file, message, ...place, ...readCodeFrame(place) }
  }
}

export type Exports = Record<string, unknown>

/** A module outlives the call that loads it first, so what its top level starts belongs to no call. */
const outsideCalls = AsyncLocalStorage.snapshot()

const loaded = new Map<string, Exports>()
const loading = new Map<string, Promise<Exports>>()

/** Imports a user's module, once per worker: Node would call its hooks again at every `import()`. */
export async function loadModule(file: string): Promise<Exports> {
  return loaded.get(file) ?? reportLoading(() => joinLoading(file))
}

/** Calls that need the same module at the same time wait for it together. */
function joinLoading(file: string): Promise<Exports> {
  const joined =
    loading.get(file) ??
    importModule(file)
      .then((exports) => {
        loaded.set(file, exports)
        return exports
      })
      .finally(() => loading.delete(file))
  loading.set(file, joined)
  return joined
}

/** Tells the runner that this work is part of loading: it has its own time limit, and takes no time of the case. */
export async function reportLoading<T>(work: () => Promise<T>): Promise<T> {
  const call = owningCall()
  if (call === undefined || call.isLoading) return work()
  const tell = (isLoading: boolean) => {
    call.isLoading = isLoading
    call.tellLoading(isLoading)
  }
  tell(true)
  return work().finally(() => tell(false))
}

async function importModule(file: string): Promise<Exports> {
  if (!existsSync(file)) throw new LoadError(file, 'there is no such file')
  try {
    const namespace: Exports = await outsideCalls(() => import(pathToFileURL(file).href))
    return isCompiledCommonJs(namespace.default) ? namespace.default : namespace
  } catch (error) {
    const place =
      errorPlace(error) ??
      findPlaceInHeading(error) ??
      findPlaceInFrames(error instanceof Error ? (error.stack ?? '') : '')
    throw new LoadError(file, describeLoadError(error), place)
  }
}

/** CommonJS compiled from `export default` keeps its exports one level down. */
function isCompiledCommonJs(whole: unknown): whole is Exports {
  return typeof whole === 'object' && whole !== null && '__esModule' in whole
}

export function exportNames(exports: Exports): string[] {
  return Object.keys(exports).filter((name) => name !== 'module.exports' && name !== '__esModule')
}

export function findExport(exports: Exports, name: string, file: string): unknown {
  if (name in exports) return exports[name]
  const declared = findDeclarations(file)
  if (declared !== undefined && name in declared) return declared[name]
  const names = [...new Set([...exportNames(exports), ...Object.keys(declared ?? {})])]
  const guess = findNearest(name, names)
  const meant = guess === undefined ? '' : ` (did you mean "${guess}"?)`
  const has =
    declared === undefined ? ['it exports nothing', 'its exports are'] : ['it has nothing', 'it has']
  const listed = names.length === 0 ? has[0] : `${has[1]}: ${names.join(', ')}`
  throw new LoadError(file, `there is no ${describeExport(name)}${meant}; ${listed}`)
}

export function findFunctionExport(exports: Exports, name: string, file: string): UserFunction {
  const value = findExport(exports, name, file)
  if (isClass(value))
    throw new LoadError(file, `${describeExport(name)} is a class: export an instance of it`)
  if (isFunction(value)) return value
  throw new LoadError(file, `${describeExport(name)} is ${typeWords(value)}, not a function`)
}

/** Whether the module exports or declares anything of that name. */
export function hasFunction(exports: Exports, file: string, name = 'default'): boolean {
  return name in exports || findDeclarations(file)?.[name] !== undefined
}

/**
 * Finds the function that a reference names. Without a name: the default export, one that is named like the file, or the
 * only function.
 */
export function findReferencedFunction(
  exports: Exports,
  file: string,
  name: string | undefined,
): UserFunction {
  if (name !== undefined) return findFunctionExport(exports, name, file)
  const candidates = ['default', ...functionNamesForFile(file)].filter((candidate) =>
    hasFunction(exports, file, candidate),
  )
  const only = exportNames(exports).filter((each) => isFunction(exports[each]))
  const chosen = candidates[0] ?? (only.length === 1 ? only[0] : undefined)
  if (chosen !== undefined) return findFunctionExport(exports, chosen, file)
  throw new LoadError(file, `which of its functions is meant? (${only.join(', ') || 'it exports none'})`)
}

/** `ValidateExpense` and `validateExpense` for `validate-expense.ts`. */
function functionNamesForFile(file: string): string[] {
  const words = basename(file)
    .replace(/\.\w+$/, '')
    .split(/[^\p{L}\p{N}]+/u)
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  return [pascal, pascal.charAt(0).toLowerCase() + pascal.slice(1)]
}

export function describeExport(name: string): string {
  return name === 'default' ? 'default export' : `export "${name}"`
}

function describeLoadError(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)} while it was loaded`
  if (error.name !== 'Error' && error.name !== 'SyntaxError') return `${error.name}: ${error.message}`
  // The place is reported separately; Node would add it again, as a path only.
  return error.message.replace(/^(Cannot find (?:module|package) '.*?') imported from .*?(?=$| \(\w)/, '$1')
}

/** V8 puts `file:line`, the line and a caret above the stack of some syntax errors. */
function findPlaceInHeading(error: unknown): Place | undefined {
  if (!(error instanceof SyntaxError)) return undefined
  const [, name = '', line = '', indent = ''] = /^(.+):(\d+)\n.*\n( *)\^/.exec(error.stack ?? '') ?? []
  return name === ''
    ? undefined
    : { file: fileUrlToPath(name) ?? name, line: Number(line), column: indent.length + 1 }
}

function readCodeFrame(place: Place | undefined): { codeFrame?: string } {
  if (place === undefined) return {}
  try {
    return { codeFrame: codeFrame(readFileSync(place.file, 'utf8'), place) }
  } catch {
    return {}
  }
}
