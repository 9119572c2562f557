import { resolve } from 'node:path'
import { knownAgentNames } from '../../agents/agent-names.ts'
import { resolveProjectFile } from '../../cases/attached-file.ts'
import { ConfigError } from '../../errors.ts'
import { isOpenAIReference } from '../../models/openai-reference.ts'
import type { Project } from '../../project/project.ts'
import { relativePath } from '../../system/relative-path.ts'

/** An agent and its connector, as `-n` and `-c` name them. */
export interface RecordedAgent {
  name: string
  connector?: string
}

/** The agent of a recorded variant. Results are data, so only what the project itself names is ever started. */
export function findRecordedAgent(variant: string, project: Project): RecordedAgent {
  const written = findConfigured(variant, project) ?? findModule(variant, project)
  if (written !== undefined) return { name: written }
  const name = knownAgentNames(project)
    .toSorted((left, right) => right.length - left.length)
    .find((known) => variant === known || variant.startsWith(`${known}@`))
  if (name === undefined)
    throw new ConfigError({
      code: 'unknown_agent',
      message: `the recorded agent ${variant} is not known here, and is not started from a results file`,
      hint: 'name it with -n',
    })
  if (variant === name) return { name }
  const connector = variant.slice(name.length + 1)
  if (!isOpenAIReference(connector)) return { name, connector }
  throw new ConfigError({
    code: 'unknown_connector',
    message: `the recorded connector ${connector} is an address, and is not called from a results file`,
    hint: `name it with -c, or use the agent's own with -n ${name}`,
  })
}

/** Whether a recorded check may ask this agent or script. */
export function isProjectAgent(use: string, folder: string, project: Project): boolean {
  if (use.startsWith('viva.') || use.startsWith('scripts:')) return true
  return (
    knownAgentNames(project).includes(use) ||
    [folder, project.cwd, project.root].some((each) => findModule(use, project, each) !== undefined)
  )
}

/** What the config itself calls an agent. */
function findConfigured(variant: string, { config }: Project): string | undefined {
  return [config.agent, ...Object.values(config.agents ?? {})].find(
    (entry) => typeof entry === 'string' && entry === variant,
  ) as string | undefined
}

/** The path of a module, and the name of its export. */
export const moduleReference = /^([^#]+\.[cm]?[jt]s)(#\w+)?$/

/** A module inside the project, as `./path#export` from the working folder. */
function findModule(reference: string, project: Project, base = project.root): string | undefined {
  const [, path, name = ''] = moduleReference.exec(reference) ?? []
  if (path === undefined) return undefined
  try {
    const file = resolve(base, path)
    resolveProjectFile(file, project.root, path)
    return `./${relativePath(project.cwd, file)}${name}`
  } catch {
    return undefined
  }
}
