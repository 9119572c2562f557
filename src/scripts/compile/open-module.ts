import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isTestFile, scriptExtensions, testedFile } from '../protocol/test-file-name.ts'
import { type ImportStatement, parseTopLevel, type TopLevel } from './top-level.ts'

/**
 * What an open module declares can be called from outside without being exported. Open are test files (`x_test.ts`), the
 * files they test (`x.ts`), and the scripts of an app, where an `export` has always been optional.
 */

export const appNames = ['app.yao', 'app.json', 'app.yaml']

/** Under a symbol on the global object, which the code of an open module can reach from anywhere. */
const registry = 'globalThis[Symbol.for("viva.open-modules")]'

/** The code that is added before and after that of an open module. */
export interface Opening {
  /** A single line, so that line numbers stay. */
  prelude: string
  tail: string
}

export function isOpenModule(file: string): boolean {
  if (!scriptExtensions.includes(extname(file))) return false
  return isTestFile(file) || hasTest(file) || findYaoAppRoot(dirname(file)) !== undefined
}

/** `setup.js` may be tested in `setup_test.ts`. */
function hasTest(file: string): boolean {
  const base = file.slice(0, -extname(file).length)
  return scriptExtensions.some((extension) => existsSync(`${base}_test${extension}`))
}

const appRoots = new Map<string, string | undefined>()

/** Finds the app folder that contains a folder, if there is one. */
export function findYaoAppRoot(folder: string): string | undefined {
  if (appRoots.has(folder)) return appRoots.get(folder)
  const here = appNames.some((name) => existsSync(join(folder, name)))
  const above = dirname(folder)
  const root = here ? folder : above === folder ? undefined : findYaoAppRoot(above)
  appRoots.set(folder, root)
  return root
}

/** `importable`: whether the code may contain `import`. */
export function createOpening(file: string, source: string, importable: boolean): Opening {
  const topLevel = parseTopLevel(file, source)
  return {
    prelude: importable ? createPrelude(file, topLevel) : '',
    tail: `;${registry}?.set(${JSON.stringify(file)}, ${createGetters(topLevel)});`,
  }
}

/** A test may use the declarations of the tested file without importing it. */
function createPrelude(file: string, topLevel: TopLevel): string {
  const tested = testedFile(file)
  if (tested === undefined || topLevel.imports.some((each) => importsTestedFile(each, file, tested)))
    return ''
  const taken = new Set([
    ...topLevel.declared.map(({ name }) => name),
    ...topLevel.imports.flatMap(({ names }) => names.map(({ local }) => local)),
  ])
  return `import ${JSON.stringify(pathToFileURL(tested).href)};${createBindings(tested, taken)}`
}

function importsTestedFile({ from }: ImportStatement, file: string, tested: string): boolean {
  if (!from.startsWith('.')) return false
  const withoutExtension = (path: string) => path.replace(/\.[cm]?[jt]sx?$/, '')
  return withoutExtension(resolve(dirname(file), from)) === withoutExtension(tested)
}

type Declarations = Record<string, unknown>

/** The declarations of this worker's open modules, by file. */
export function openModules(): Map<string, Declarations> {
  const holder = globalThis as { [key: symbol]: Map<string, Declarations> | undefined }
  const key = Symbol.for('viva.open-modules')
  holder[key] ??= new Map()
  return holder[key]
}

/** Returns what an open module declares. Modules are loaded from their real path. */
export function findDeclarations(file: string): Declarations | undefined {
  return openModules().get(file) ?? openModules().get(resolveRealPath(file))
}

function resolveRealPath(file: string): string {
  // A script may have removed its own file meanwhile.
  return existsSync(file) ? realpathSync(file) : file
}

/** Every module has its own: see `commonJsNames` in `compile.ts`. */
const ownNames = ['__filename', '__dirname', 'require', 'module', 'exports']

function createBindings(tested: string, taken: ReadonlySet<string>): string {
  const { declared } = parseTopLevel(tested, readFileSync(tested, 'utf8'))
  const names = [...new Set(declared.map(({ name }) => name))].filter(
    (name) => !taken.has(name) && !ownNames.includes(name),
  )
  const from = `${registry}.get(${JSON.stringify(resolveRealPath(tested))})`
  return names.length === 0 ? '' : `const {${names.join(',')}}=${from};`
}

/** Getters, so that a `let` has its current value. */
function createGetters({ declared }: TopLevel): string {
  const names = [...new Set(declared.map(({ name }) => name))]
  // Names of types do not exist at run time.
  const getter = (name: string) => `get ${name}(){return typeof ${name}==="undefined"?undefined:${name}}`
  return `{__proto__:null,${names.map(getter).join(',')}}`
}
