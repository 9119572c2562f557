import { existsSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Environment } from '../../system/environment.ts'
import { findNearest } from '../../text/nearest.ts'
import type { Project } from '../project.ts'
import { listFiles } from './files-below.ts'
import { type HookFile, hookNames, readHookFile } from './hook-file.ts'
import { loadLocales, type Translate } from './locales.ts'
import { type PackageTools, parsePackageData, readPackageTools } from './package-tools.ts'
import { loadPresets, loadPrompts, type Prompts } from './prompts.ts'

/** The keys of `package.yao` that viva reads. The Yao engine has more, which have no effect here. */
const packageSchema = z.looseObject({
  name: z.string().optional(),
  type: z.string().optional(),
  description: z.string().optional(),
  connector: z.string().optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  disable_global_prompts: z.boolean().optional(),
  mcp: z.unknown().optional(),
})

/** Keys that only the Yao engine reads. */
const engineKeys = (
  'assistant_id id path avatar capabilities connector_options dependencies built_in sort tags ' +
  'modes default_mode readonly public share mentionable automated prompts prompt_presets kb db ' +
  'workflow placeholder script scripts source locales uses search sandbox created_at updated_at'
).split(' ')

/** An agent as a folder: `package.yao`, `prompts.yml`, `prompts/`, `src/index.ts`, `locales/`. */
export interface Package {
  id: string
  folder: string
  /** The path of its `package.yao` for messages. */
  file: string
  name?: string
  type?: string
  description?: string
  connector?: string
  options: Data
  /** The prompts of the app, used unless `disableGlobalPrompts` is set. */
  globalPrompts: Prompts
  /** What `$ENV` in prompts stands for. */
  env: Environment
  disableGlobalPrompts: boolean
  prompts: Prompts
  presets: ReadonlyMap<string, Prompts>
  tools: PackageTools
  hooks?: HookFile
  translate: Translate
  /** Its keys that only the Yao engine reads. */
  engineKeys: string[]
  /** Parts that have no effect in viva or in the Yao engine. */
  warnings: Problem[]
  /** Why viva cannot run it, although it is valid. */
  unplayable?: string
}

/** The ids of the app's agents: the path below `assistants/`, with dots instead of slashes. */
export function packageIds(project: Project): string[] {
  if (project.appRoot === undefined) return []
  return listFiles(join(project.appRoot, 'assistants'))
    .filter((name) => name.endsWith(`${sep}package.yao`))
    .map((name) => name.split(sep).slice(0, -1).join('.'))
    .sort()
}

export function locatePackage(project: Project, id: string): string | undefined {
  if (project.appRoot === undefined) return undefined
  const folder = join(project.appRoot, 'assistants', ...id.split('.'))
  return existsSync(join(folder, 'package.yao')) ? folder : undefined
}

export function packageId(project: Project, folder: string): string {
  const below = project.appRoot === undefined ? '..' : relative(join(project.appRoot, 'assistants'), folder)
  return below.startsWith('..') ? (folder.split(sep).at(-1) ?? folder) : below.split(sep).join('.')
}

export function loadPackage(project: Project, folder: string): Package {
  const path = join(folder, 'package.yao')
  const file = relative(project.cwd, path)
  const read = parsePackageData(packageSchema, parseJsonc(readFileSync(path, 'utf8'), file), file)
  const { name, type, description, connector, options = {}, disable_global_prompts, mcp } = read
  const assets = join(folder, 'assets')
  const { appRoot } = project
  const hooks = readHookFile(folder, project.cwd)
  const prompts = loadPrompts(join(folder, 'prompts.yml'), assets)
  const tools = readPackageTools(mcp, file)
  const unplayable =
    sandboxProblem(read, folder) ?? noAnswerProblem({ prompts, tools, ...defined({ hooks }) })
  return {
    id: packageId(project, folder),
    folder,
    file,
    options,
    env: project.env,
    globalPrompts:
      appRoot === undefined
        ? []
        : loadPrompts(join(appRoot, 'agent', 'prompts.yml'), join(appRoot, 'agent', 'assets')),
    disableGlobalPrompts: disable_global_prompts ?? false,
    prompts,
    presets: loadPresets(join(folder, 'prompts'), assets),
    tools,
    translate: loadLocales(folder, project.cwd),
    engineKeys: engineKeys.filter((key) => Object.hasOwn(read, key)),
    warnings: [...warnUnknownKeys(read, file), ...(hooks === undefined ? [] : warnHooks(hooks))],
    ...defined({ name, type, description, connector, hooks, unplayable }),
  }
}

/** The Yao engine ignores them, so they are probably mistakes. */
function warnUnknownKeys(read: Data, file: string): Problem[] {
  const known = [...Object.keys(packageSchema.shape), ...engineKeys]
  return Object.keys(read)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const guess = findNearest(key, known)
      const hint = guess && `did you mean "${guess}"?`
      const message = `unknown key "${key}": Yao ignores it`
      return { code: 'unknown_key', message, file, key, ...defined({ hint }) }
    })
}

/** The Yao engine only calls Create and Next. A file without them still changes the turn: see `package-turn.ts`. */
function warnHooks({ names, others, file }: HookFile): Problem[] {
  const missing = hookNames.filter((name) => !names.includes(name))
  const misspelt = missing.flatMap((meant) => {
    const guess =
      others.find((name) => name.toLowerCase() === meant.toLowerCase()) ?? findNearest(meant, others)
    if (guess === undefined) return []
    const message = `"${guess}" is not a hook: Yao never calls it`
    return { code: 'misspelt_hook', message, file, hint: `did you mean "${meant}"?` }
  })
  if (names.length > 0 || misspelt.length > 0) return misspelt
  return [{ code: 'no_hooks', message: 'it has neither Create nor Next: Yao never calls it', file }]
}

/** A program in a sandbox runs such an agent. Using its connector instead would test a different agent. */
function sandboxProblem({ sandbox }: Data, folder: string): string | undefined {
  const has =
    (sandbox !== undefined && sandbox !== null && sandbox !== false) ||
    existsSync(join(folder, 'sandbox.yao'))
  return has ? 'it runs in a sandbox of the Yao engine, which viva does not have' : undefined
}

/** The Yao engine only uses a model for a package that has prompts or tools. */
export function usesModel({ prompts, tools }: Pick<Package, 'prompts' | 'tools'>): boolean {
  return prompts.length > 0 || tools.declared
}

function noAnswerProblem(pack: Pick<Package, 'prompts' | 'tools' | 'hooks'>): string | undefined {
  if (usesModel(pack) || (pack.hooks?.names.length ?? 0) > 0) return undefined
  return 'it has no prompts, no tools and no hooks, so Yao would not use a model and would not answer'
}
