import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { followImports, listImports } from '../../scripts/compile/imports.ts'
import { createUserModules, type UserModules } from '../../scripts/compile/user-modules.ts'
import type { FingerprintParts } from './parts.ts'

/** What a file of code, with all it imports, can do beyond what is in its files. */
export interface CodeReach {
  /** It may use more than its files show: the network, other files, other programs. */
  unseen?: string
  /** It may call scripts, agents, models and tools of the app by their names. */
  callsByName: boolean
}

const builtIns: readonly [does: string, pattern: RegExp][] = [
  [
    'uses the network',
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](?:node:)?(?:https?|http2|net|tls|dgram)["'`]|\bfetch\s*\(|[=,({[]\s*fetch\b|\bglobalThis\.fetch\b|\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b|\bhttp\.(?:Get|Post|Put|Patch|Delete|Head|Send)\b/,
  ],
  [
    'reads files',
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](?:node:)?(?:fs|fs\/promises|sqlite)["'`]|\bnew\s+FS\s*\(|\bBun\.file\b|\bDeno\.(?:read|open)/,
  ],
  [
    'starts other programs',
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](?:node:)?(?:child_process|cluster)["'`]|\bBun\.spawn|\bDeno\.Command\b/,
  ],
]
const computedImport = /\b(?:import|require)\s*\(\s*[^"'`\s)]/
const byName =
  /\bProcess\s*\(|\.(?:agent|llm|mcp)\b|["'`](?:scripts|agents)[.:]|\b(?:delegate|mcp_servers|connector)\b/
const typeImports = /\b(?:import|export)\s+type\b[^;'"`]*?\bfrom\s*(["'`])[^"'`\n]+\1/g
const code = /\.[cm]?[jt]sx?$/
const lockFiles = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
]
/** A package that consists of more is not looked through. */
const mostPackageFiles = 2_000

/** Adds the files of code to the parts, and says what the code does that they do not show. */
export class CodeReader {
  readonly #modules: UserModules = createUserModules()
  readonly #packages = new Map<string, string | undefined>()

  read(entry: string, parts: FingerprintParts): CodeReach {
    const { files, packages } = followImports(entry, this.#modules)
    const reasons: string[] = []
    let callsByName = false
    for (const file of files) {
      parts.file(file)
      const text = code.test(file) ? readText(file) : ''
      callsByName ||= byName.test(text)
      const does = whatItDoes(text) ?? this.#packageUse(file, text)
      if (does !== undefined) reasons.push(`${parts.nameOf(file)} ${does}`)
    }
    if (packages.size > 0) addLockFile(entry, packages, parts)
    const [unseen] = reasons
    return { callsByName, ...(unseen !== undefined && { unseen }) }
  }

  /** What the packages do that a file imports. */
  #packageUse(file: string, text: string): string | undefined {
    for (const name of listImports(text.replace(typeImports, ''))) {
      const { path } = this.#modules.resolve(file, name, 'import')
      if (path === undefined || !isInstalled(path)) continue
      const does = this.#lookInto(path)
      if (does !== undefined) return `imports ${name}, which ${does}`
    }
    return undefined
  }

  #lookInto(entry: string): string | undefined {
    if (this.#packages.has(entry)) return this.#packages.get(entry)
    const found = this.#search(entry)
    this.#packages.set(entry, found)
    return found
  }

  #search(entry: string): string | undefined {
    const open = new Set([entry])
    for (const file of open) {
      if (open.size > mostPackageFiles) return 'is too large to be looked through'
      if (!code.test(file)) {
        if (file.endsWith('.node')) return 'is not only JavaScript'
        continue
      }
      const text = readText(file)
      const does = whatItDoes(text)
      if (does !== undefined) return does
      for (const name of listImports(text)) {
        const { path } = this.#modules.resolve(file, name, 'import')
        if (path !== undefined) open.add(path)
      }
    }
    return undefined
  }
}

function whatItDoes(text: string): string | undefined {
  const found = builtIns.find(([, pattern]) => pattern.test(text))
  if (found !== undefined) return found[0]
  return computedImport.test(text) ? 'imports what it names only when it runs' : undefined
}

function isInstalled(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`)
}

/** It stands for the packages; without one, they are named by their versions. */
function addLockFile(entry: string, packages: ReadonlySet<string>, parts: FingerprintParts): void {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const lock = lockFiles.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (lock !== undefined) {
      parts.file(lock)
      return
    }
    if (dirname(folder) === folder) break
  }
  for (const path of packages) parts.file(packageJson(path))
}

function packageJson(path: string): string {
  const end = path.lastIndexOf(`${sep}node_modules${sep}`) + `${sep}node_modules${sep}`.length
  const [scope = '', name = ''] = path.slice(end).split(sep)
  return join(path.slice(0, end), scope, ...(scope.startsWith('@') ? [name] : []), 'package.json')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
