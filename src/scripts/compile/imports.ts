import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { testedFile } from '../protocol/test-file-name.ts'
import { createUserModules, type UserModules } from './user-modules.ts'

/** The files that a module loads. */
export interface ModuleFiles {
  /** Real paths: the module itself, and what it imports from outside of `node_modules`. */
  files: ReadonlySet<string>
  /** It may also load or call what no text in it names. */
  isOpen: boolean
  /** The files in `node_modules` that they import. */
  packages: ReadonlySet<string>
}

/** Also finds the imports of a file that does not compile at the moment. */
const specifiers = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(["'`])([^"'`\n]+)\1/g
/** An import whose name is computed, and the ways to call scripts and agents of an app by their name. */
const opening = /\b(?:import|require)\s*\(\s*[^"'`\s)]|\bProcess\s*\(|["'`](?:scripts|agents)[.:]/
/** Its version says what is in it. */
const isViva = /^vivavoce(?:$|\/)/
const code = /\.[cm]?[jt]sx?$/
/** A project with more is not followed any further. */
const mostFiles = 5_000

/** Follows the imports of a module, as they are written in its files now. `modules` remembers where files are. */
export function followImports(entry: string, modules: UserModules = createUserModules()): ModuleFiles {
  const files = new Set<string>()
  const packages = new Set<string>()
  const open = new Set([realPath(entry)])
  let isOpen = false
  for (const file of open) {
    files.add(file)
    const text = code.test(file) ? readIfThere(file) : undefined
    if (text === undefined) continue
    isOpen ||= opening.test(text) || files.size > mostFiles
    if (files.size > mostFiles) break
    for (const specifier of listImports(text)) {
      if (isViva.test(specifier)) continue
      const found = modules.resolve(file, specifier, 'import').path
      // One that is missing is watched for.
      if (found === undefined && specifier.startsWith('.'))
        for (const path of missingFiles(file, specifier)) open.add(path)
      else if (found !== undefined) {
        // A package of the same workspace is only linked there.
        const path = realPath(found)
        ;(isInstalled(path) ? packages : open).add(path)
      }
    }
    const tested = testedFile(file)
    if (tested !== undefined) open.add(realPath(tested))
  }
  return { files, isOpen, packages }
}

/** As they are written in a file, each once. */
export function listImports(text: string): Set<string> {
  return new Set([...text.matchAll(specifiers)].map(([, , name = '']) => name))
}

function isInstalled(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`)
}

function missingFiles(file: string, specifier: string): string[] {
  const path = resolve(dirname(file), specifier)
  return code.test(path) ? [path, path.replace(/js(x?)$/, 'ts$1')] : [path, `${path}.ts`, `${path}.js`]
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Also for a file that does not exist. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path
}
