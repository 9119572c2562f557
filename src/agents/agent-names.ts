import { ConfigError } from '../errors.ts'
import { packageFolder, packageIds } from '../project/app/package.ts'
import type { Project } from '../project/project.ts'
import { nearest } from '../text/nearest.ts'

export function unknownAgent(name: string, project: Project): ConfigError {
  const guess = nearest(name, knownAgents(project))
  return new ConfigError({
    code: 'unknown_agent',
    message: `unknown agent "${name}"${listAgents(project)}`,
    ...(guess === undefined ? {} : { hint: `did you mean "${guess}"?` }),
  })
}

/** Scripts and hooks can only name agents of the app or the config, not references such as `exec:…`. */
export function namedAgentProblem(name: string, project: Project): string | undefined {
  const known = Object.hasOwn(project.config.agents ?? {}, name) || agentFolder(name, project) !== undefined
  return known ? undefined : unknownAgent(name, project).message
}

/** Of the package that a name means. */
export function agentFolder(reference: string, project: Project): string | undefined {
  return (
    packageFolder(project, reference) ??
    packageFolder(project, reference.replace(/^assistants\./, '').replace(/\.agent$/, ''))
  )
}

/** The names that `-n` accepts. */
export function knownAgents(project: Project): string[] {
  return [...Object.keys(project.config.agents ?? {}), ...packageIds(project)]
}

export function listAgents(project: Project): string {
  const known = knownAgents(project)
  return known.length === 0 ? '; there are none here' : `; there are: ${known.join(', ')}`
}
