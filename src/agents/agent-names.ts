import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { locatePackage, packageIds } from '../project/app/package.ts'
import type { Project } from '../project/project.ts'
import { findNearest } from '../text/nearest.ts'

export function unknownAgentError(name: string, project: Project): ConfigError {
  const guess = findNearest(name, knownAgentNames(project))
  return new ConfigError({
    code: 'unknown_agent',
    message: `unknown agent "${name}"${describeAgents(project)}`,
    ...defined({ hint: guess && `did you mean "${guess}"?` }),
  })
}

/** Scripts and hooks can only name agents of the app or the config, not references such as `exec:…`. */
export function namedAgentProblem(name: string, project: Project): string | undefined {
  const known = Object.hasOwn(project.config.agents ?? {}, name) || agentFolder(name, project) !== undefined
  return known ? undefined : unknownAgentError(name, project).message
}

/** Of the package that a name means. */
export function agentFolder(reference: string, project: Project): string | undefined {
  return (
    locatePackage(project, reference) ??
    locatePackage(project, reference.replace(/^assistants\./, '').replace(/\.agent$/, ''))
  )
}

/** The entry of the config that a name means: by its key, or by its URL. */
export function configuredAgent(name: string, { config }: Project) {
  const agents = config.agents ?? {}
  if (Object.hasOwn(agents, name)) return { id: name, entry: agents[name] }
  const byUrl = Object.entries(agents).find(
    ([, entry]) => typeof entry === 'object' && 'url' in entry && entry.url === name,
  )
  return byUrl && { id: byUrl[0], entry: byUrl[1] }
}

/** The names that `-n` accepts. */
export function knownAgentNames(project: Project): string[] {
  return [...Object.keys(project.config.agents ?? {}), ...packageIds(project)]
}

export function describeAgents(project: Project): string {
  const known = knownAgentNames(project)
  return known.length === 0 ? '; there are none here' : `; there are: ${known.join(', ')}`
}
