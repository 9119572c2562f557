import { relative, sep } from 'node:path'
import { everything, mergeParts, type Part } from './part.ts'

/** A file of cases or tests that a run reads. All paths are absolute. */
export interface InputFile {
  path: string
  /** Script tests and suites: they use nothing but what they import. */
  isClosed: boolean
  /** What it imports, itself included. */
  uses: ReadonlySet<string>
}

/** A package under test, one of several agents. */
export interface TestedPackage {
  /** As `-n` names it. */
  name: string
  folder: string
  /** Whether other files of the run mention it: then they may call it. */
  isMentioned(): boolean
}

/** What is known of the files that a run uses. */
export interface RunFiles {
  inputs: readonly InputFile[]
  /** Folders of which all case files are run. */
  folders: readonly string[]
  /** There are inputs that are not files. */
  hasGenerators: boolean
  /** The config, the agents under test, and what they import. */
  shared: ReadonlySet<string>
  packages: readonly TestedPackage[]
}

/** The part of a run that these changes affect; undefined for none. Where it is not known: everything. */
export function affectedPart(
  changed: readonly string[],
  run: RunFiles,
  isThere: (path: string) => boolean,
): Part | undefined {
  return changed.reduce<Part | undefined>((part, path) => {
    const more = affectedBy(path, run, isThere)
    return more === undefined ? part : mergeParts(part, more)
  }, undefined)
}

function affectedBy(path: string, run: RunFiles, isThere: (path: string) => boolean): Part | undefined {
  if (run.shared.has(path)) return everything
  const isInput = run.inputs.some((input) => input.path === path)
  // What was in a folder is simply gone; what the command names is missed.
  if (isInput && !isThere(path) && run.folders.some((folder) => isInside(folder, path))) return undefined
  const onlyClosed = !run.hasGenerators && run.inputs.every(({ isClosed }) => isClosed)
  const users = run.inputs.filter(({ uses }) => uses.has(path)).map((input) => input.path)
  if (users.length > 0 && (isInput || onlyClosed)) return { files: new Set(users) }
  return affectedAgents(path, run.packages) ?? everything
}

/** Of several agents under test, those whose package the file is in. */
function affectedAgents(path: string, packages: readonly TestedPackage[]): Part | undefined {
  const own = packages.filter(({ folder }) => isInside(folder, path))
  if (own.length === 0 || own.length === packages.length || own.some((each) => each.isMentioned()))
    return undefined
  return { agents: new Set(own.map(({ name }) => name)) }
}

function isInside(folder: string, path: string): boolean {
  const [first] = relative(folder, path).split(sep)
  return first !== '..'
}
