import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, errorMessage } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import { readEnvFile, withEnvFile } from '../../project/env-file.ts'
import type { Environment } from '../../system/environment.ts'

/** The folder that `viva init` looks at. */
export interface Folder {
  path: string
  /** The variables of the process and of the `.env` file. */
  env: Environment
  /** Its files and those of its folders, with `/`. What is installed or built is left out. */
  files: readonly string[]
  has(name: string): boolean
  /** An empty text for a file that is not there or is too large for source code. */
  read(name: string): string
  manifest: Manifest | undefined
}

/** What `package.json` says. */
export interface Manifest {
  isModule: boolean
  /** Of all kinds. */
  dependencies: ReadonlySet<string>
  scripts: Readonly<Record<string, string>>
  /** The first command, as a path. */
  bin: string | undefined
}

const skipped =
  /^(?:\..*|node_modules|dist|build|out|coverage|vendor|target|venv|env|__pycache__|site-packages)$/
const deepest = 4
const mostFiles = 2000
const largestBytes = 200_000

export function openFolder(path: string, given: Environment): Folder {
  const texts = new Map<string, string>()
  const folder: Omit<Folder, 'manifest'> = {
    path,
    env: withEnvFile(given, readEnvFile(path, given)),
    files: listSources(path),
    has: (name) => existsSync(join(path, name)),
    read(name) {
      const text = texts.get(name) ?? readText(join(path, name))
      texts.set(name, text)
      return text
    },
  }
  return { ...folder, manifest: readManifest(path) }
}

/** The files near the top come first. */
function listSources(root: string): string[] {
  const files: string[] = []
  let level = ['']
  for (let depth = 0; depth <= deepest && files.length < mostFiles; depth++) {
    const next: string[] = []
    for (const below of level) {
      for (const entry of readEntries(join(root, below))) {
        const path = `${below}${entry.name}`
        if (entry.isFile()) files.push(path)
        else if (entry.isDirectory() && !skipped.test(entry.name)) next.push(`${path}/`)
      }
    }
    level = next
  }
  return files.slice(0, mostFiles)
}

/** A folder that cannot be read has nothing to show. */
function readEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

function readText(path: string): string {
  try {
    return statSync(path).size > largestBytes ? '' : readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function readManifest(folder: string): Manifest | undefined {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return undefined
  const data = parseManifest(readFileSync(path, 'utf8'))
  const record = (value: unknown) => (isRecord(value) ? value : {})
  const scripts = Object.entries(record(data.scripts)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const [bin] = typeof data.bin === 'string' ? [data.bin] : Object.values(record(data.bin))
  return {
    isModule: data.type === 'module',
    dependencies: new Set(
      ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap((kind) =>
        Object.keys(record(data[kind])),
      ),
    ),
    scripts: Object.fromEntries(scripts),
    bin: typeof bin === 'string' ? bin : undefined,
  }
}

/** The message has the place of the mistake, where our own parser finds it too. */
function parseManifest(text: string): Record<string, unknown> {
  const file = 'package.json'
  let data: unknown
  try {
    data = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    parseJsonc(text, file)
    throw new ConfigError({ code: 'invalid_json', message: `invalid JSON: ${errorMessage(error)}`, file })
  }
  if (isRecord(data)) return data
  throw new ConfigError({ code: 'invalid_json', message: 'it is not a JSON object', file })
}
