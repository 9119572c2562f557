import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { isSuiteFile } from '../../cases/sources/detect.ts'
import { listCaseFiles } from '../../cases/sources/folder.ts'
import { locateProject } from '../../project/project.ts'
import { followImports, realPath } from '../../scripts/compile/imports.ts'
import { createUserModules } from '../../scripts/compile/user-modules.ts'
import type { OpenedBy } from '../../setup/phase.ts'
import type { testSetup } from '../../setup/phase-lists.ts'
import type { Shell } from '../../system/shell.ts'
import type { GivenFlags } from '../flags.ts'
import type { InputFile, RunFiles, TestedPackage } from './affected.ts'
import type { WatchedPlaces } from './file-watcher.ts'
import { mentionsText } from './mentions.ts'

/** What a run has opened before it reads its cases. */
export type OpenedRun = Pick<OpenedBy<typeof testSetup>, 'project' | 'inputs' | 'variants' | 'settings'>

/** The files of the last run that could be opened, and where to look for others. */
export interface KnownFiles extends RunFiles {
  root: string
  places: WatchedPlaces
  /** Files that a run reads, whatever they are called. */
  read: ReadonlySet<string>
  /** Whether one of the files mentions this name. */
  mentions(name: string): boolean
}

/** Looks at the files as they are now. Without a run that was opened, little is known, so that everything counts. */
export function findRunFiles(
  opened: OpenedRun | undefined,
  given: GivenFlags,
  { cwd, env }: Pick<Shell, 'cwd' | 'env'>,
): KnownFiles {
  const words = [given.input ?? []].flat().map(String)
  const named = words.map((word) => resolve(cwd, word)).filter((path) => existsSync(path))
  const { root, appRoot } = opened?.project ?? locate(named, cwd, env)
  const inputs = opened === undefined ? [] : listInputFiles(opened.inputs)
  const folders = (opened?.inputs ?? []).flatMap((input) =>
    input.kind === 'folder' ? [realPath(input.path)] : [],
  )
  const shared = sharedFiles(opened, given, cwd)
  const read = new Set([...inputs.flatMap(({ uses }) => [...uses]), ...shared])
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory()
  const watched = [root, ...(appRoot === undefined ? [] : [appRoot]), ...folders, ...named.filter(isFolder)]
  const texts = [...inputs.map(({ path }) => path), ...shared, ...appFolders(appRoot)]
  return {
    root: realPath(root),
    inputs,
    folders,
    hasGenerators: opened === undefined || opened.inputs.some(({ kind }) => kind === 'generator'),
    shared,
    packages: opened === undefined ? [] : testedPackages(opened, texts),
    read,
    places: {
      folders: [...new Set(watched.map(realPath))],
      files: [...new Set([...read, ...named.filter((path) => !isFolder(path)).map(realPath)])],
    },
    mentions: (name) => mentionsText(texts, name),
  }
}

/** Where the project is; the working folder, if that cannot be said at the moment. */
function locate(
  named: readonly string[],
  cwd: string,
  env: Shell['env'],
): { root: string; appRoot?: string } {
  const [first] = named
  const from = first === undefined ? cwd : statSync(first).isDirectory() ? first : dirname(first)
  try {
    return locateProject(from, cwd, env)
  } catch {
    return { root: cwd }
  }
}

const modules = /\.[cm]?[jt]sx?$/

function listInputFiles(inputs: readonly DetectedInput[]): InputFile[] {
  const userModules = createUserModules()
  return inputs.flatMap((input): InputFile[] => {
    if (!('path' in input)) return []
    const isThere = existsSync(input.path)
    const paths = input.kind === 'folder' ? (isThere ? listCaseFiles(input.path) : []) : [input.path]
    return paths.map((found) => {
      const path = realPath(found)
      if (!modules.test(path)) return { path, isClosed: false, uses: new Set([path]) }
      const { files, isOpen } = followImports(path, userModules)
      return { path, isClosed: (input.kind === 'tests' || isSuiteFile(path)) && !isOpen, uses: files }
    })
  })
}

/** The config, the context, the agents under test, and what they import. */
function sharedFiles(opened: OpenedRun | undefined, given: GivenFlags, cwd: string): Set<string> {
  const names = [given.name ?? []].flat().map(String)
  const { project } = opened ?? {}
  const { agent, agents = {} } = project?.config ?? {}
  const configured = [agent, ...Object.values(agents)].filter((each) => typeof each === 'string')
  const root = project?.root ?? cwd
  const context = typeof given.ctx === 'string' ? [given.ctx] : []
  const paths = [
    ...names.flatMap((name) => referencedFiles(name, cwd)),
    ...configured.flatMap((name) => referencedFiles(name, root)),
    ...context.map((file) => resolve(cwd, file)),
    ...(project?.configFile === undefined ? [] : [project.configFile]),
    ...[root, project?.appRoot ?? root].map((folder) => join(folder, '.env')),
  ]
  const userModules = createUserModules()
  return new Set(
    paths.flatMap((path) =>
      modules.test(path) ? [...followImports(path, userModules).files] : [realPath(path)],
    ),
  )
}

/** The files that a reference names: `./agent.ts#chat`, or those in `exec:python agent.py --fast`. */
function referencedFiles(reference: string, folder: string): string[] {
  const words = reference.startsWith('exec:')
    ? reference.slice('exec:'.length).split(/\s+/)
    : [reference.split('#')[0] ?? '']
  const paths = words.filter((word) => /[./]/.test(word)).map((word) => resolve(folder, word))
  return paths.filter((path) => modules.test(path) || statSync(path, { throwIfNoEntry: false })?.isFile())
}

function appFolders(appRoot: string | undefined): string[] {
  return appRoot === undefined ? [] : ['assistants', 'scripts', 'mcps'].map((name) => join(appRoot, name))
}

/** The packages among several agents: variants are every agent with every connector, in this order. */
function testedPackages({ settings, variants }: OpenedRun, texts: readonly string[]): TestedPackage[] {
  const { names, connectors } = settings
  const agents = [...variants.values()]
  if (names.length < 2) return []
  return names.flatMap((name, index): TestedPackage[] => {
    const folder = agents[index * connectors.length]?.folder
    if (name === undefined || folder === undefined) return []
    const isMentioned = () => mentionsText(texts, basename(folder), realPath(folder))
    return [{ name, folder: realPath(folder), isMentioned }]
  })
}
