import { existsSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { defined } from '../../json/defined.ts'
import { scriptExtensions as extensions, isTestFile } from '../../scripts/protocol/test-file-name.ts'
import type { Project } from '../project.ts'

/** A function of a user script; without a name, the main function of the file. */
export interface ScriptFunction {
  file: string
  function?: string
}

export interface AppScripts {
  /** Finds the script for `scripts.<path>.<Fn>` or `agents.<id>.<script>.<Fn>`. */
  ofProcess(name: string): ScriptFunction | undefined
  /** Known prefixes of such names, for suggestions. */
  processNames(): string[]
}

/**
 * Finds the function for a reference (`scripts.tests.Check`, `scripts:tests.validate-expense`, `env_test.Before`):
 * the longest prefix that is a file in one of the folders, in their order. The rest of it is the function.
 */
export function findScript(reference: string, folders: readonly string[]): ScriptFunction | undefined {
  return findInFolders(splitReference(reference), folders)
}

function findInFolders(parts: readonly string[], folders: readonly string[]): ScriptFunction | undefined {
  // An empty part would lead to files beside the folder.
  if (parts.includes('')) return undefined
  for (const folder of folders) {
    for (const length of [parts.length, parts.length - 1]) {
      const [name] = parts.slice(length)
      const file = length === 0 ? undefined : findScriptFile(join(folder, ...parts.slice(0, length)))
      if (file !== undefined) return { file, ...defined({ function: name }) }
    }
  }
  return undefined
}

/** The message for a reference that was not found. */
export function scriptProblem(reference: string, folders: readonly string[], root: string): string {
  const looked = folders.map((folder) => relative(root, folder) || '.').join(', ')
  const parts = splitReference(reference)
  const [path, around] = [parts.join('/'), parts.slice(0, -1).join('/')]
  const missing = around === '' ? `no ${path}.ts` : `neither ${path}.ts nor a function of ${around}.ts`
  return `no script "${reference}": there is ${missing} in ${looked}`
}

function splitReference(reference: string): string[] {
  return reference.replace(/^scripts[.:]/, '').split('.')
}

/** Hooks of an app are in `env_test.ts` and may be named `env.Before`. */
function findScriptFile(path: string): string | undefined {
  const candidates = ['', '_test'].flatMap((suffix) =>
    extensions.map((extension) => path + suffix + extension),
  )
  return candidates.find((candidate) => existsSync(candidate))
}

export function createAppScripts({ appRoot }: Project): AppScripts {
  const scripts = appRoot === undefined ? [] : [join(appRoot, 'scripts')]
  const assistants = appRoot === undefined ? undefined : join(appRoot, 'assistants')
  return {
    ofProcess(name) {
      if (name.startsWith('scripts.')) return findScript(name, scripts)
      if (!name.startsWith('agents.') || assistants === undefined) return undefined
      return findAgentScript(name.split('.').slice(1), assistants)
    },
    processNames: () => scripts.flatMap((folder) => listScripts(folder).map((id) => `scripts.${id}`)),
  }
}

/** `expense.tools.Create` is `Create` of `expense/src/tools.ts`; ids may have several parts. */
function findAgentScript(parts: string[], assistants: string): ScriptFunction | undefined {
  if (parts.includes('')) return undefined
  for (let length = parts.length - 1; length > 0; length--) {
    const folder = join(assistants, ...parts.slice(0, length), 'src')
    const found = existsSync(folder) ? findInFolders(parts.slice(length), [folder]) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function listScripts(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extensions.some((extension) => name.endsWith(extension)) && !isTestFile(name))
    .map((name) =>
      name
        .replace(/\.\w+$/, '')
        .split(sep)
        .join('.'),
    )
}

/** Finds a test file of an agent by its id: `scripts.expense.setup` is `assistants/expense/src/setup_test.ts`. */
export function findTestFile(
  id: string,
  { appRoot, packageFolder, cwd }: Pick<Project, 'appRoot' | 'packageFolder' | 'cwd'>,
): { file?: string; tried: string[] } {
  const parts = id.replace(/^scripts\./, '').split('.')
  const roots = [...(appRoot === undefined ? [] : [join(appRoot, 'assistants'), appRoot]), cwd]
  const bases = [
    ...roots.flatMap((root) =>
      parts.slice(1).map((_, index) => {
        const length = parts.length - 1 - index
        return join(root, ...parts.slice(0, length), 'src', ...parts.slice(length))
      }),
    ),
    ...(packageFolder === undefined ? [] : [join(packageFolder, 'src', ...parts)]),
  ]
  const candidates = bases.flatMap((base) => extensions.map((extension) => `${base}_test${extension}`))
  const file = candidates.find((candidate) => existsSync(candidate))
  const tried = [...new Set(bases.map((base) => `${base}_test.ts`))]
  return { ...defined({ file }), tried }
}

/** The agent that a script belongs to: `expense` of `assistants/expense/src/forms/dinner_test.ts`. */
export function findScriptAgent(file: string, { appRoot }: Pick<Project, 'appRoot'>): string | undefined {
  if (appRoot === undefined) return undefined
  const path = relative(join(appRoot, 'assistants'), file).split(sep)
  const src = path.indexOf('src')
  return path[0] === '..' || src < 1 ? undefined : path.slice(0, src).join('.')
}
