import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { createUserModules, type UserModules } from '../../scripts/compile/user-modules.ts'
import { testedFile } from '../../scripts/protocol/test-file-name.ts'

/** The files that a module loads. */
export interface ModuleFiles {
  /** Real paths: the module itself, and what it imports from outside of `node_modules`. */
  files: ReadonlySet<string>
  /** It may also load or call what no text in it names. */
  isOpen: boolean
}

/** Also finds the imports of a file that does not compile at the moment. */
const specifiers = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(["'`])([^"'`\n]+)\1/g
/** An import whose name is computed, and the ways to call scripts and agents of an app by their name. */
const opening = /\b(?:import|require)\s*\(\s*[^"'`\s)]|\bProcess\s*\(|["'`](?:scripts|agents)[.:]/
const code = /\.[cm]?[jt]sx?$/
/** A project with more is not followed any further. */
const mostFiles = 5_000

/** Follows the imports of a module, as they are written in its files now. `modules` remembers where files are. */
export function followImports(entry: string, modules: UserModules = createUserModules()): ModuleFiles {
  const files = new Set<string>()
  const open = [realPath(entry)]
  let isOpen = false
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue
    files.add(file)
    const text = code.test(file) ? readIfThere(file) : undefined
    if (text === undefined) continue
    isOpen ||= opening.test(text) || files.size > mostFiles
    if (files.size > mostFiles) break
    for (const specifier of new Set([...text.matchAll(specifiers)].map(([, , name = '']) => name))) {
      const found = modules.resolve(file, specifier, 'import').path
      // One that is missing is watched for.
      if (found === undefined && specifier.startsWith('.')) open.push(...missingFiles(file, specifier))
      else if (found !== undefined && !found.includes(`${sep}node_modules${sep}`)) open.push(realPath(found))
    }
    const tested = testedFile(file)
    if (tested !== undefined) open.push(realPath(tested))
  }
  return { files, isOpen }
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
