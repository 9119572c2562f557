import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { followImports, listImports, realPath } from '../../scripts/compile/imports.ts'
import { createUserModules, type UserModules } from '../../scripts/compile/user-modules.ts'
import type { FingerprintParts } from './parts.ts'
import { commentLine, listVariables, readsUnnamedVariables } from './variables.ts'

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
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](?:node:)?(?:https?|http2|net|tls|dgram|dns|dns\/promises|inspector)["'`]|\bfetch\s*\(|[=,({[]\s*fetch\b|\bglobalThis\.fetch\b|\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b|\bhttp\.(?:Get|Post|Put|Patch|Delete|Head|Send)\b/,
  ],
  [
    'reads files',
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](?:node:)?(?:fs|fs\/promises|sqlite)["'`]|\bnew\s+FS\s*\(|\bBun\.file\b|\bDeno\.(?:read|open)/,
  ],
  [
    'starts other programs',
    /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](?:node:)?(?:child_process|cluster|worker_threads)["'`]|\bnew\s+Worker\s*\(|\bBun\.spawn|\bDeno\.Command\b/,
  ],
]
const computedImport =
  /\b(?:import|require)\s*\(\s*(?:[^"'`\s)]|["'`][^"'`]*(?:\$\{|["'`]\s*\+))|\bcreateRequire\b|\bgetBuiltinModule\b|(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'`](?:node:)?module["'`]/
/** `eval` by its name, however it is called; `Function('return this')` is only an old word for `globalThis`. */
const computedCode =
  /\beval\s*\(|(?<![\w$.'"`-])eval\b(?![\w$:'"`-])|[?]\s*eval\b|\bglobal(?:This)?\s*\??\.\s*eval\b|\bnew\s+Function\s*\(|(?<![\w$.])Function\s*\((?!\?|\s*["'`]return this["'`]\s*\))|["'`](?:node:)?vm["'`]/
/** Globals under other names, or under names that are computed. */
const computedGlobal =
  /\bglobal(?:This)?\s*(?:\?\.\s*)?\[(?!\s*Symbol\b)|\}\s*=\s*globalThis\b(?!\s*\??[.[])|=\s*globalThis\s*(?:[;,\n]|$)|\b(?:Reflect|Object)\.\w+\s*\(\s*globalThis\b/
const byName =
  /\bProcess\s*\(|(?:\.|[{,]\s*|\[\s*["'`])(?:agent|llm|mcp)\b|["'`](?:scripts|agents)[.:]|\b(?:delegate|mcp_servers|connector)\b/
const typeImports = /\b(?:import|export)\s+type\b[^;'"`]*?\bfrom\s*(["'`])[^"'`\n]+\1/g
const code = /\.[cm]?[jt]sx?$/
/** What was meant to be installed. */
const lockFiles = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
]
/** What is installed. */
const installedFiles = ['.package-lock.json', '.pnpm/lock.yaml', '.yarn-state.yml', '.yarn-integrity']
/** A package that consists of more is not looked through. */
const mostPackageFiles = 2_000

/** Adds the files of code to the parts, and says what the code does that they do not show. */
export class CodeReader {
  readonly #modules: UserModules = createUserModules()
  readonly #packages = new Map<string, PackageReach>()

  read(entry: string, parts: FingerprintParts): CodeReach {
    const { files, packages } = followImports(entry, this.#modules)
    const reasons: string[] = []
    let callsByName = false
    for (const file of files) {
      parts.file(file)
      const text = code.test(file) ? readText(file) : ''
      callsByName ||= byName.test(text)
      const does = whatItDoes(text) ?? this.#packageUse(file, text, parts)
      if (does !== undefined) reasons.push(`${parts.nameOf(file)} ${does}`)
    }
    if (packages.size > 0) addLockFiles(entry, packages, parts)
    const [unseen] = reasons
    return { callsByName, ...(unseen !== undefined && { unseen }) }
  }

  /** What the packages do that a file imports. Their variables are added to the parts. */
  #packageUse(file: string, text: string, parts: FingerprintParts): string | undefined {
    let use: string | undefined
    for (const name of listImports(text.replace(typeImports, ''))) {
      const { path } = this.#modules.resolve(file, name, 'import')
      if (path === undefined || !isInstalled(realPath(path))) continue
      const { does, variables, packages } = this.#lookInto(path)
      parts.variables(variables)
      for (const each of packages) parts.file(each)
      if (does !== undefined) use ??= `imports ${name}, which ${does}`
    }
    return use
  }

  #lookInto(entry: string): PackageReach {
    const known = this.#packages.get(entry)
    if (known !== undefined) return known
    const found = this.#search(entry)
    this.#packages.set(entry, found)
    return found
  }

  /** Ends at the first thing that viva cannot see. */
  #search(entry: string): PackageReach {
    const variables = new Set<string>()
    const packages = new Set<string>()
    const open = new Set([entry])
    for (const file of open) {
      if (open.size > mostPackageFiles)
        return { does: 'is too large to be looked through', variables, packages }
      if (isInstalled(file)) packages.add(packageJson(file))
      if (!code.test(file)) {
        if (file.endsWith('.node')) return { does: 'is not only JavaScript', variables, packages }
        continue
      }
      const text = readText(file)
      const does = whatItDoes(text)
      if (does !== undefined) return { does, variables, packages }
      for (const name of listVariables(text)) variables.add(name)
      for (const name of listImports(text)) {
        const { path } = this.#modules.resolve(file, name, 'import')
        if (path !== undefined) open.add(path)
      }
    }
    return { variables, packages }
  }
}

interface PackageReach {
  /** What viva cannot see. */
  does?: string
  /** The variables of the environment that it names. */
  variables: ReadonlySet<string>
  /** Its `package.json`, and those of the packages that it imports, which have their versions. */
  packages: ReadonlySet<string>
}

function whatItDoes(text: string): string | undefined {
  const found = builtIns.find(([, pattern]) => pattern.test(text))
  if (found !== undefined) return found[0]
  if (computedImport.test(text)) return 'imports what it names only when it runs'
  const withoutComments = text.replace(commentLine, '')
  if (computedCode.test(withoutComments)) return 'runs code that it makes itself'
  if (computedGlobal.test(withoutComments)) return 'uses globals that it does not name'
  return readsUnnamedVariables(text) ? 'reads environment variables that it does not name' : undefined
}

function isInstalled(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`)
}

/** They stand for the packages, of which those that are imported are named by their versions too. */
function addLockFiles(entry: string, packages: ReadonlySet<string>, parts: FingerprintParts): void {
  for (const names of [lockFiles, installedFiles.map((name) => join('node_modules', name))])
    for (const path of findNearestFiles(entry, names)) parts.file(path)
  for (const path of packages) parts.file(packageJson(path))
}

/** Those in the nearest folder at or above the file that has one of them. */
function findNearestFiles(entry: string, names: readonly string[]): string[] {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    const found = names.map((name) => join(folder, name)).filter((path) => existsSync(path))
    if (found.length > 0 || dirname(folder) === folder) return found
  }
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
