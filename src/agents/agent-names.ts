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

/** Of a name that a script or a hook gives: only agents of the app and of the config are meant by those. */
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

/** By the names that `-n` takes. */
export function knownAgents(project: Project): string[] {
  return [...Object.keys(project.config.agents ?? {}), ...packageIds(project)]
}

export function listAgents(project: Project): string {
  const known = knownAgents(project)
  return known.length === 0 ? '; there are none here' : `; there are: ${known.join(', ')}`
}
