/**
 * The module hooks that make Node load users' TypeScript. `module.registerHooks` calls them in the worker's thread
 * (Node ≥ 22.15); on Node 20 `module.register` loads this file into a separate thread.
 */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NapiResolveOptions } from 'oxc-resolver'
import { requirePackage } from '../../require-package.ts'
import { checkSyntax, compile, needsCompiling } from '../compile/compile.ts'
import { isOpenModule } from '../compile/open-module.ts'
import { addErrorPlace, fileUrlToPath, isUserFile, type Place, placeAt } from '../protocol/place.ts'

interface ResolveContext {
  conditions?: string[]
  parentURL?: string | undefined
}

interface LoadContext {
  conditions?: string[]
  importAttributes?: Record<string, string>
}

type Next<Context> = (name: string, context: Context) => unknown

const resolveOptions: NapiResolveOptions = {
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'],
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.js'],
    '.jsx': ['.tsx', '.jsx'],
    '.mjs': ['.mts', '.mjs'],
    '.cjs': ['.cts', '.cjs'],
  },
}

type Condition = 'import' | 'require'
type Resolve = (parent: string, specifier: string) => { path?: string; trouble?: string }

const resolvers = new Map<Condition, Resolve>()

/** Made when the first file imports another: loading the resolver takes longer than starting the thread. */
function findResolver(condition: Condition): Resolve {
  const made = resolvers.get(condition) ?? createResolver(condition)
  resolvers.set(condition, made)
  return made
}

function createResolver(condition: Condition): Resolve {
  const { ResolverFactory } = requirePackage('oxc-resolver') as typeof import('oxc-resolver')
  const options = { ...resolveOptions, conditionNames: ['node', condition] }
  const plain = new ResolverFactory(options)
  const withTsconfig = plain.cloneWithOptions({ ...options, tsconfig: 'auto' })
  return (parent, specifier) => {
    const found = withTsconfig.resolveFileSync(parent, specifier)
    if (!/tsconfig/i.test(found.error ?? '')) return found
    // A tsconfig.json that extends a missing package must not keep the code from running.
    return { ...plain.sync(dirname(parent), specifier), trouble: found.error ?? '' }
  }
}

/** With npx or from a checkout, viva is not among the user's packages; its built files are beside this one. */
const ownPackage: Record<string, string> = { vivavoce: './index.js', 'vivavoce/testing': './testing.js' }

/** Finds the user's own files as TypeScript would; packages and built-ins are left to Node. */
export function resolve(specifier: string, context: ResolveContext, next: Next<ResolveContext>): unknown {
  const parent = fileUrlToPath(context.parentURL ?? '')
  if (parent === undefined || !isUserFile(parent) || isBuiltin(specifier)) return next(specifier, context)
  const { path, trouble } = findResolver(isRequire(context) ? 'require' : 'import')(parent, specifier)
  if (path !== undefined && isUserFile(path)) return { url: pathToFileURL(path).href, shortCircuit: true }
  return handleFailure(
    () => next(specifier, context),
    (error) => {
      const own = ownPackage[specifier]
      if (own !== undefined) return { url: new URL(own, import.meta.url).href, shortCircuit: true }
      if (!(error instanceof Error)) throw error
      if (trouble !== undefined) error.message += ` (${trouble})`
      throw addErrorPlace(error, findImportPlace(parent, specifier))
    },
  )
}

function isRequire(context: { conditions?: string[] }): boolean {
  return context.conditions?.includes('require') ?? false
}

export function load(url: string, context: LoadContext, next: Next<LoadContext>): unknown {
  const file = fileUrlToPath(url)
  if (file === undefined || !isUserFile(file)) return next(url, context)
  if (needsCompiling(file) || isOpenModule(file)) {
    const { format, code } = compile(file, readFileSync(file, 'utf8'))
    return { format, source: code, shortCircuit: true }
  }
  if (/\.[mc]?js$/.test(file)) checkSyntax(file, readFileSync(file, 'utf8'))
  // TypeScript lets JSON be imported without `with { type: 'json' }`; Node does not.
  if (file.endsWith('.json') && !isRequire(context) && !context.importAttributes?.type) {
    return {
      format: 'module',
      source: createJsonModule(file, readFileSync(file, 'utf8')),
      shortCircuit: true,
    }
  }
  return next(url, context)
}

function createJsonModule(file: string, text: string): string {
  try {
    JSON.parse(text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [, position = text.length] = /position (\d+)/.exec(error.message) ?? []
    throw addErrorPlace(error, placeAt(file, text, Number(position)))
  }
  return `export default JSON.parse(${JSON.stringify(text)})`
}

function findImportPlace(file: string, specifier: string): Place {
  const source = readFileSync(file, 'utf8')
  const offsets = [`'${specifier}'`, `"${specifier}"`].map((quoted) => source.indexOf(quoted))
  return placeAt(file, source, Math.max(0, ...offsets))
}

/** `next` returns a value in the worker's thread and a promise in the hooks' thread. */
function handleFailure(attempt: () => unknown, handle: (error: unknown) => unknown): unknown {
  try {
    const result = attempt()
    return result instanceof Promise ? result.catch(handle) : result
  } catch (error) {
    return handle(error)
  }
}
