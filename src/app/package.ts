import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { defined } from '../defined.ts'
import { ConfigError } from '../errors.ts'
import { issuesOf } from '../issues.ts'
import { parseJsonc } from '../json-syntax.ts'
import type { Project } from '../project/project.ts'
import type { Data } from '../transcript/message.ts'
import { misspeltKeys } from './misspelt.ts'
import { type PackageTools, readPackageTools } from './package-tools.ts'
import { loadPresets, loadPrompts, type Prompts } from './prompts.ts'

/** What of `package.yao` viva reads; the engine knows more keys, which change nothing here. */
const packageSchema = z.looseObject({
  name: z.string().optional(),
  type: z.string().optional(),
  description: z.string().optional(),
  connector: z.string().optional(),
  options: z.record(z.string(), z.unknown()).optional(),
  disable_global_prompts: z.boolean().optional(),
  mcp: z.unknown().optional(),
})

/** What only the engine reads. */
const engineKeys = [
  'assistant_id',
  'id',
  'path',
  'avatar',
  'connector_options',
  'built_in',
  'sort',
  'tags',
  'modes',
  'default_mode',
  'readonly',
  'public',
  'share',
  'mentionable',
  'automated',
  'prompts',
  'prompt_presets',
  'kb',
  'db',
  'tools',
  'workflow',
  'placeholder',
  'source',
  'locales',
  'uses',
  'search',
  'sandbox',
  'created_at',
  'updated_at',
]

/** An agent as a folder: `package.yao`, `prompts.yml`, `prompts/`. */
export interface Package {
  id: string
  folder: string
  /** Its `package.yao`, as messages show it. */
  file: string
  name?: string
  type?: string
  description?: string
  connector?: string
  options: Data
  globalPrompts: Prompts
  prompts: Prompts
  presets: ReadonlyMap<string, Prompts>
  tools: PackageTools
}

/** Ids of the app's agents: the path below `assistants/`, dots for slashes. */
export function packageIds(project: Project): string[] {
  if (project.appRoot === undefined) return []
  const folder = join(project.appRoot, 'assistants')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(`${sep}package.yao`) && !name.includes('node_modules'))
    .map((name) => name.split(sep).slice(0, -1).join('.'))
    .sort()
}

export function packageFolder(project: Project, id: string): string | undefined {
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
  const parsed = packageSchema.safeParse(parseJsonc(readFileSync(path, 'utf8'), file), { reportInput: true })
  const issues = parsed.success
    ? misspeltKeys(parsed.data, { read: Object.keys(packageSchema.shape), engine: engineKeys }, '')
    : issuesOf(parsed.error, packageSchema, 'the file')
  if (!parsed.success || issues.length > 0) {
    throw new ConfigError(
      issues.map(({ message, hint }) => ({
        code: 'bad_package',
        message: message.replace('the case', 'the package'),
        file,
        ...defined({ hint }),
      })),
    )
  }
  const { name, type, description, connector, options = {}, disable_global_prompts, mcp } = parsed.data
  refuseNotYet(folder, file)
  const assets = join(folder, 'assets')
  const global = project.appRoot !== undefined && !disable_global_prompts
  return {
    id: packageId(project, folder),
    folder,
    file,
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...(connector === undefined ? {} : { connector }),
    options,
    globalPrompts: global ? loadPrompts(join(project.appRoot ?? '', 'agent', 'prompts.yml'), assets) : [],
    prompts: loadPrompts(join(folder, 'prompts.yml'), assets),
    presets: loadPresets(join(folder, 'prompts'), assets),
    tools: readPackageTools(mcp, file),
  }
}

/** Playing such a package without its hooks would test another agent than the one that ships. */
function refuseNotYet(folder: string, file: string): void {
  if (existsSync(join(folder, 'src', 'index.ts'))) {
    throw new ConfigError({
      code: 'not_yet',
      message: 'hooks of package agents (src/index.ts) are not supported yet',
      file,
    })
  }
}
