import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { UserModules } from '../compile/user-modules.ts'
import { addErrorPlace, fileUrlToPath, isUserFile, type Place, placeAt } from '../protocol/place.ts'

interface ResolveContext {
  conditions?: string[]
  parentURL?: string | undefined
}

interface ModuleLoadContext {
  conditions?: string[]
  importAttributes?: Record<string, string>
}

type Next<Context> = (name: string, context: Context) => unknown

/** The module hooks that make Node load users' TypeScript. */
export interface ModuleHooks {
  resolve(specifier: string, context: ResolveContext, next: Next<ResolveContext>): unknown
  load(url: string, context: ModuleLoadContext, next: Next<ModuleLoadContext>): unknown
}

const ownFolder = new URL('.', import.meta.url).href

/** With npx or from a checkout, viva is not among the user's packages; its built files are beside this one. */
const ownPackage: Record<string, string> = { vivavoce: './index.js', 'vivavoce/testing': './testing.js' }

/** Finds the user's own files as TypeScript would; packages and built-ins are left to Node. */
export function createModuleHooks(modules: UserModules): ModuleHooks {
  return {
    resolve(specifier, context, next) {
      const parent = fileUrlToPath(context.parentURL ?? '')
      if (parent === undefined || !isUserFile(parent) || isOwnFile(context.parentURL) || isBuiltin(specifier))
        return next(specifier, context)
      const condition = isRequire(context) ? 'require' : 'import'
      const { path, trouble } = modules.resolve(parent, specifier, condition)
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
    },
    load(url, context, next) {
      const file = fileUrlToPath(url)
      if (file === undefined || !isUserFile(file) || isOwnFile(url)) return next(url, context)
      const compiled = modules.load(file, !isRequire(context) && !context.importAttributes?.type)
      if (compiled === undefined) return next(url, context)
      return { format: compiled.format, source: compiled.code, shortCircuit: true }
    },
  }
}

/** A file of viva's, which is not in `node_modules` in a checkout. */
function isOwnFile(url = ''): boolean {
  return url.startsWith(ownFolder)
}

function isRequire(context: { conditions?: string[] }): boolean {
  return context.conditions?.includes('require') ?? false
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
