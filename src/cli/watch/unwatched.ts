import { basename, relative, sep } from 'node:path'

/** Why a change is no reason to run again. */
type Why = 'written by viva' | 'installed' | 'hidden' | 'temporary' | 'documentation'

/** The one list of what is never a reason to run again. Everything else in the project is one. */
const rules: readonly { kind: 'folder' | 'file'; name: RegExp; why: Why }[] = [
  { kind: 'folder', name: /^(?:\.viva|coverage)$/, why: 'written by viva' },
  { kind: 'folder', name: /^(?:node_modules|bower_components|__pycache__|venv)$/, why: 'installed' },
  { kind: 'folder', name: /^\./, why: 'hidden' },
  // Its lock and its draft too.
  { kind: 'file', name: /^output-.*\.jsonl/, why: 'written by viva' },
  { kind: 'file', name: /\.snap$/, why: 'written by viva' },
  { kind: 'file', name: /\.lock(?:\.[\w-]+)?$|\.\d+\.part$/, why: 'written by viva' },
  { kind: 'file', name: /^(?:package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json)$/, why: 'installed' },
  // The environment is all that is read of the hidden files.
  { kind: 'file', name: /^\.(?!env(?:\.|$))/, why: 'hidden' },
  { kind: 'file', name: /~$|^#.*#$|^4913$|\.(?:sw[a-z]|tmp|temp|bak|orig|log|pid)$/i, why: 'temporary' },
  {
    kind: 'file',
    name: /^(?:readme|licen[cs]e|changelog|contributing|code_of_conduct|security|authors|notice)(?:$|[\w.-]*\.(?:md|markdown|txt|rst|adoc)$)/i,
    why: 'documentation',
  },
]

/** What the user has named for this run. */
export interface NamedPaths {
  /** The files of `-o`. */
  outputs: readonly string[]
  /** Files that are read whatever they are called: inputs, `--ctx`, modules. */
  read: ReadonlySet<string>
  /** Whether the file holds results or a recording. */
  isWrittenByRun(path: string): boolean
  /** Whether some file of the run mentions this name, as an attachment is mentioned. */
  mentions(name: string): boolean
}

/** Why a change of this file is no reason to run again; undefined where it is one. The path is absolute. */
export function whyUnwatched(path: string, root: string, named: NamedPaths): Why | undefined {
  if (named.outputs.some((output) => path === output || path.startsWith(`${output}.`)))
    return 'written by viva'
  if (named.read.has(path)) return undefined
  const folders = relative(root, path).split(sep).slice(0, -1)
  const around = folders.map(whySkipped).find((why) => why !== undefined)
  if (around !== undefined) return around
  const name = basename(path)
  if (name.endsWith('.jsonl') && named.isWrittenByRun(path)) return 'written by viva'
  const why = rules.find((rule) => rule.kind === 'file' && rule.name.test(name))?.why
  return why === 'documentation' && named.mentions(name) ? undefined : why
}

/** Why a folder is not looked into. */
export function whySkipped(name: string): Why | undefined {
  if (name === '..') return undefined
  return rules.find((rule) => rule.kind === 'folder' && rule.name.test(name))?.why
}
