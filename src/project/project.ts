import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { ConfigError } from '../errors.ts'
import type { ScriptHost } from '../scripts/runner/script-host.ts'
import { loadConfig } from './config.ts'
import type { Config } from './config-schema.ts'
import { loadEnvFile } from './env-file.ts'

const configNames = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `viva.config.${extension}`)
const appNames = ['app.yao', 'app.json', 'app.yaml']

/** The config and app around the cases, and the folder to which paths in messages are relative. */
export interface Project {
  /** The folder of the config or the app, else the working folder. */
  root: string
  cwd: string
  config: Config
  configFile?: string
  appRoot?: string
  /** The values in the `.env` files of the app and the project, even if the environment overrides them. */
  envFile?: Record<string, string>
  /** The package that contains the input. */
  packageFolder?: string
}

/** `from` is the folder of the input file, or the working folder. */
export async function openProject(
  from: string,
  cwd: string,
  scripts: ScriptHost,
  loading: AbortSignal,
): Promise<Project> {
  const configFile = findConfig(from) ?? findConfig(cwd)
  const packageFolder = findPackage(from)
  const appRoot = findAppRoot(from) ?? findAppRoot(cwd)
  // Loaded before the config, which may use these variables.
  const root = configFile ? dirname(configFile) : rootWithoutConfig(from, cwd)
  const envFile = Object.assign({}, ...[...new Set([appRoot ?? root, root])].map(loadEnvFile))
  return {
    root,
    cwd,
    envFile,
    config: configFile ? await loadConfig(configFile, scripts, cwd, loading) : {},
    ...(configFile ? { configFile } : {}),
    ...(appRoot ? { appRoot } : {}),
    ...(packageFolder ? { packageFolder } : {}),
  }
}

/** Finds the root of a project without reading its files. */
export function findRoot(cwd: string): string {
  const configFile = findConfig(cwd)
  return configFile ? dirname(configFile) : rootWithoutConfig(cwd, cwd)
}

function rootWithoutConfig(from: string, cwd: string): string {
  return findAppRoot(from) ?? findAppRoot(cwd) ?? findPackage(from) ?? cwd
}

/** Always with `/`, so that results can be read on another operating system. */
export function pathInProject(project: Project, path: string): string {
  return relative(project.root, path).split(sep).join('/')
}

function findConfig(from: string): string | undefined {
  const found = findUp(from, configNames)
  if (found === undefined) return undefined
  const all = configNames.filter((name) => existsSync(join(dirname(found), name)))
  if (all.length === 1) return found
  throw new ConfigError({
    code: 'two_configs',
    message: `${dirname(found)} has ${all.join(' and ')}: which one is meant?`,
    hint: 'keep one',
  })
}

function findUp(from: string, names: readonly string[]): string | undefined {
  for (const folder of foldersUp(from)) {
    const found = names.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found) return found
  }
  return undefined
}

/** The folder of the nearest `package.yao`. */
export function findPackage(from: string): string | undefined {
  const file = findUp(from, ['package.yao'])
  return file === undefined ? undefined : dirname(file)
}

/** The folder of `app.yao`, else the one that contains the `assistants` folder around or below `from`. */
export function findAppRoot(from: string): string | undefined {
  const marked = findUp(from, appNames)
  if (marked) return dirname(marked)
  const folders = [...foldersUp(from)]
  const assistants = folders.find((folder) => basename(folder) === 'assistants')
  if (assistants) return dirname(assistants)
  return folders.find((folder) => existsSync(join(folder, 'assistants')))
}

function* foldersUp(from: string): Generator<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    yield folder
    if (dirname(folder) === folder) return
  }
}
