/**
 * The module hooks that make Node load users' TypeScript. `module.registerHooks` calls them in the worker's
 * thread (Node ≥ 22.15); on Node 20 `module.register` loads this file into a thread beside it.
 */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { pathToFileURL } from 'node:url'
import { type NapiResolveOptions, ResolverFactory } from 'oxc-resolver'
import { checkSyntax, compile, isCompiled } from './compile.ts'
import { isUserFile, located, type Place, pathOfUrl, placeAt } from './place.ts'

interface ResolveContext {
  conditions: string[]
  parentURL?: string | undefined
}

interface LoadContext {
  conditions: string[]
  importAttributes?: Record<string, string>
}

type Next<Context> = (name: string, context: Context) => unknown

const RESOLVE_OPTIONS: NapiResolveOptions = {
  tsconfig: 'auto',
  conditionNames: ['node', 'import'],
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'],
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.js'],
    '.jsx': ['.tsx', '.jsx'],
    '.mjs': ['.mts', '.mjs'],
    '.cjs': ['.cts', '.cjs'],
  },
}

const importResolver = new ResolverFactory(RESOLVE_OPTIONS)
const requireResolver = importResolver.cloneWithOptions({
  ...RESOLVE_OPTIONS,
  conditionNames: ['node', 'require'],
})

/** Finds the user's own files as TypeScript would; packages and builtins are left to Node. */
export function resolve(specifier: string, context: ResolveContext, next: Next<ResolveContext>): unknown {
  const parent = pathOfUrl(context.parentURL ?? '')
  if (parent === undefined || !isUserFile(parent) || isBuiltin(specifier)) return next(specifier, context)
  const resolver = context.conditions.includes('require') ? requireResolver : importResolver
  const found = resolver.resolveFileSync(parent, specifier)
  if (found.path !== undefined && isUserFile(found.path)) {
    return { url: pathToFileURL(found.path).href, shortCircuit: true }
  }
  const explain = (error: unknown): never => {
    if (!(error instanceof Error)) throw error
    // A broken tsconfig.json would else hide behind "cannot find module".
    if (found.error?.includes('tsconfig')) error.message += ` (${found.error})`
    throw located(error, placeOfImport(parent, specifier))
  }
  return otherwise(() => next(specifier, context), explain)
}

export function load(url: string, context: LoadContext, next: Next<LoadContext>): unknown {
  const file = pathOfUrl(url)
  if (file === undefined || !isUserFile(file)) return next(url, context)
  if (isCompiled(file)) {
    const { format, code } = compile(file, readFileSync(file, 'utf8'))
    return { format, source: code, shortCircuit: true }
  }
  if (/\.[mc]?js$/.test(file)) checkSyntax(file, readFileSync(file, 'utf8'))
  // TypeScript lets JSON be imported without `with { type: 'json' }`; Node does not.
  if (file.endsWith('.json') && context.conditions.includes('import') && !context.importAttributes?.type) {
    return { format: 'module', source: `export default ${readFileSync(file, 'utf8')}`, shortCircuit: true }
  }
  return next(url, context)
}

function placeOfImport(file: string, specifier: string): Place {
  const source = readFileSync(file, 'utf8')
  const offsets = [`'${specifier}'`, `"${specifier}"`].map((quoted) => source.indexOf(quoted))
  return placeAt(file, source, Math.max(0, ...offsets))
}

/** `next` gives a value in the worker's thread and a promise in the hooks' thread. */
function otherwise(attempt: () => unknown, handle: (error: unknown) => never): unknown {
  try {
    const result = attempt()
    return result instanceof Promise ? result.catch(handle) : result
  } catch (error) {
    return handle(error)
  }
}
