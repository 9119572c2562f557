import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ConfigError, errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { compile } from '../../scripts/compile/compile.ts'
import { parseTopLevel } from '../../scripts/compile/top-level.ts'
import { errorPlace } from '../../scripts/protocol/place.ts'

/** The functions of an agent that the Yao engine calls before and after the model. */
export const hookNames = ['Create', 'Next'] as const
export type HookName = (typeof hookNames)[number]

/** An agent's `src/index.ts`. */
export interface HookFile {
  path: string
  /** The path for messages. */
  file: string
  /** The hooks that it has; it need not export them. */
  names: HookName[]
  /** It re-exports another module (`export *`), so its hooks are only known once it is loaded. */
  open: boolean
  /** Its other functions, to find misspelt hooks. */
  others: string[]
}

const isHook = (name: string): name is HookName => hookNames.some((hook) => hook === name)

/** Reads the hooks without running the file. */
export function readHookFile(folder: string, cwd: string): HookFile | undefined {
  const path = ['index.ts', 'index.js'].map((name) => join(folder, 'src', name)).find(existsSync)
  if (path === undefined) return undefined
  const file = relative(cwd, path)
  const source = readFileSync(path, 'utf8')
  checkSyntax(path, source, file)
  const { declared, exports, passesOn = false } = parseTopLevel(path, source)
  const all = [...new Set([...declared, ...exports].map(({ name }) => name))]
  // A declaration that is not a function is not a hook; whether a re-export is one is known once it is loaded.
  const isThere = (hook: string) => declared.find(({ name }) => name === hook)?.callable ?? all.includes(hook)
  return {
    path,
    file,
    names: passesOn ? [...hookNames] : hookNames.filter(isThere),
    open: passesOn,
    others: all.filter((name) => !isHook(name)),
  }
}

function checkSyntax(path: string, source: string, file: string): void {
  try {
    compile(path, source)
  } catch (error) {
    const { line, column } = errorPlace(error) ?? {}
    const place = { file, ...defined({ line, column }) }
    throw new ConfigError({ code: 'bad_script', message: errorMessage(error), ...place })
  }
}
