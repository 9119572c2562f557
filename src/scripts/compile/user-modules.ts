import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { NapiResolveOptions } from 'oxc-resolver'
import { requirePackage } from '../../require-package.ts'
import { addErrorPlace, placeAt } from '../protocol/place.ts'
import { testedFile } from '../protocol/test-file-name.ts'
import { type Compiled, checkSyntax, compile, needsCompiling } from './compile.ts'
import { isOpenModule } from './open-module.ts'

/** Finds and compiles the user's own files, as TypeScript would. */
export interface UserModules {
  resolve(parent: string, specifier: string, condition: ImportCondition): Resolution
  /** Undefined where Node can load the file as it is. `jsonAsModule`: it is imported without saying that it is JSON. */
  load(file: string, jsonAsModule: boolean): Compiled | undefined
}

export type ImportCondition = 'import' | 'require'

export interface Resolution {
  path?: string
  /** What is wrong with the tsconfig.json that was to be used. */
  trouble?: string
}

const resolveOptions: NapiResolveOptions = {
  extensions: ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'],
  extensionAlias: {
    '.js': ['.ts', '.tsx', '.js'],
    '.jsx': ['.tsx', '.jsx'],
    '.mjs': ['.mts', '.mjs'],
    '.cjs': ['.cts', '.cjs'],
  },
}

type Resolve = (parent: string, specifier: string) => Resolution

/** Resolves and compiles in this thread. Remembers what it has compiled, for other threads that need the same file. */
export function createUserModules(): UserModules {
  const resolvers = new Map<ImportCondition, Resolve>()
  const compiled = new Map<string, { version: string; result: Compiled | undefined }>()
  return {
    resolve(parent, specifier, condition) {
      // Made when the first file imports another: loading the resolver takes longer than starting a thread.
      const resolver = resolvers.get(condition) ?? createResolver(condition)
      resolvers.set(condition, resolver)
      return resolver(parent, specifier)
    },
    load(file, jsonAsModule) {
      // A test file depends on the file that it tests, too.
      if (testedFile(file) !== undefined) return loadFile(file, jsonAsModule)
      const { mtimeMs, size } = statSync(file)
      const version = `${mtimeMs} ${size} ${jsonAsModule}`
      const known = compiled.get(file)
      if (known?.version === version) return known.result
      const result = loadFile(file, jsonAsModule)
      compiled.set(file, { version, result })
      return result
    },
  }
}

function createResolver(condition: ImportCondition): Resolve {
  const { ResolverFactory } = requirePackage('oxc-resolver') as typeof import('oxc-resolver')
  const options = { ...resolveOptions, conditionNames: ['node', condition] }
  const plain = new ResolverFactory(options)
  const withTsconfig = plain.cloneWithOptions({ ...options, tsconfig: 'auto' })
  return (parent, specifier) => {
    const found = withTsconfig.resolveFileSync(parent, specifier)
    if (!/tsconfig/i.test(found.error ?? '')) return pickPath(found)
    // A tsconfig.json that extends a missing package must not keep the code from running.
    return { ...pickPath(plain.sync(dirname(parent), specifier)), trouble: found.error ?? '' }
  }
}

function pickPath({ path }: { path?: string }): Resolution {
  return path === undefined ? {} : { path }
}

function loadFile(file: string, jsonAsModule: boolean): Compiled | undefined {
  if (needsCompiling(file) || isOpenModule(file)) return compile(file, readFileSync(file, 'utf8'))
  if (/\.[mc]?js$/.test(file)) checkSyntax(file, readFileSync(file, 'utf8'))
  // TypeScript lets JSON be imported without `with { type: 'json' }`; Node does not.
  if (!file.endsWith('.json') || !jsonAsModule) return undefined
  return { format: 'module', code: createJsonModule(file, readFileSync(file, 'utf8')) }
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
