import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { ScriptHost } from '../scripts/runner/script-host.ts'
import type { Environment } from '../system/environment.ts'
import { relativePath } from '../system/relative-path.ts'
import { loadConfig } from './config.ts'
import type { Config } from './config-schema.ts'
import { readEnvFile, withEnvFile } from './env-file.ts'

const configNames = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `viva.config.${extension}`)
const appNames = ['app.yao', 'app.json', 'app.yaml']

/** What stands around the cases: the config, the app, and the folder that paths are told relative to. */
export interface Project extends Location {
  config: Config
}

/** Where a project is, and the environment it is run in: what is known before any of its code is loaded. */
export interface Location {
  /** Of the config or the app, else the working folder. */
  root: string
  cwd: string
  /** The variables of the process and of the `.env` files. */
  env: Environment
  configFile?: string
  appRoot?: string
  /** What stands in the `.env` of the app and of the project, whether the environment says otherwise or not. */
  envFile: Record<string, string>
  /** The package that the input is in. */
  packageFolder?: string
}

/** `from` is the folder of the input file, or the working folder. */
export function locateProject(from: string, cwd: string, given: Environment): Location {
  const configFile = findConfig(from) ?? findConfig(cwd)
  const packageFolder = findPackage(from)
  const appRoot = findAppRoot(from) ?? findAppRoot(cwd)
  const root = configFile ? dirname(configFile) : rootWithoutConfig(from, cwd)
  const envFile: Record<string, string> = {}
  let env = given
  for (const folder of new Set([appRoot ?? root, root])) {
    const values = readEnvFile(folder, env)
    Object.assign(envFile, values)
    env = withEnvFile(env, values)
  }
  return {
    root,
    cwd,
    env,
    envFile,
    ...defined({ configFile, appRoot, packageFolder }),
  }
}

/** Reads the config. It may be code, and ask for variables of the environment. */
export async function loadProject(
  location: Location,
  scripts: ScriptHost,
  loading: AbortSignal,
): Promise<Project> {
  const { configFile, cwd } = location
  return { ...location, config: configFile ? await loadConfig(configFile, scripts, cwd, loading) : {} }
}

/** Where a project begins, without reading anything of it. */
export function findRoot(cwd: string): string {
  const configFile = findConfig(cwd)
  return configFile ? dirname(configFile) : rootWithoutConfig(cwd, cwd)
}

function rootWithoutConfig(from: string, cwd: string): string {
  return findAppRoot(from) ?? findAppRoot(cwd) ?? findPackage(from) ?? cwd
}

/** Always with `/`, so that results can be read on another operating system. */
export function projectPath(project: Project, path: string): string {
  return relativePath(project.root, path)
}

function findConfig(from: string): string | undefined {
  const found = findUpwards(from, configNames)
  if (found === undefined) return undefined
  const all = configNames.filter((name) => existsSync(join(dirname(found), name)))
  if (all.length === 1) return found
  const message = `${dirname(found)} has ${all.join(' and ')}: which one is meant?`
  throw new ConfigError({ code: 'two_configs', message, hint: 'keep one' })
}

function findUpwards(from: string, names: readonly string[]): string | undefined {
  for (const folder of ancestorFolders(from)) {
    const found = names.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found) return found
  }
  return undefined
}

/** The folder of the nearest `package.yao`. */
export function findPackage(from: string): string | undefined {
  const file = findUpwards(from, ['package.yao'])
  return file === undefined ? undefined : dirname(file)
}

/** The folder of `app.yao`, else the one that contains the `assistants` folder around or below `from`. */
export function findAppRoot(from: string): string | undefined {
  const marked = findUpwards(from, appNames)
  if (marked) return dirname(marked)
  const folders = [...ancestorFolders(from)]
  const assistants = folders.find((folder) => basename(folder) === 'assistants')
  if (assistants) return dirname(assistants)
  return folders.find((folder) => existsSync(join(folder, 'assistants')))
}

function* ancestorFolders(from: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}
