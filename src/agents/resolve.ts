import { ConfigError } from '../errors.ts'
import { agentToShow } from '../models/network/address.ts'
import { a2aAgent, requireA2A } from './adapters/a2a.ts'
import { httpAgent, surroundingsIn } from './adapters/http.ts'
import { listAgents } from './agent-names.ts'
import { fromPackage, packageByName, withHooks } from './package/resolve-package.ts'
import { isForeign, withoutConnector } from './resolve-reference.ts'
import type { AgentSources, Resolved } from './resolved.ts'

/** The agent named by `-n`, else the package that contains the input, else the default of the config. */
export async function resolveAgent(name: string | undefined, sources: AgentSources): Promise<Resolved> {
  const { project } = sources
  const { config } = project
  if (name !== undefined) {
    return (await configured(name, sources)) ?? byReference(name, project.cwd, sources)
  }
  if (project.packageFolder !== undefined)
    return withHooks(fromPackage(project.packageFolder, sources), sources)
  if (config.agent !== undefined) {
    return (await configured(config.agent, sources)) ?? byReference(config.agent, project.root, sources)
  }
  throw new ConfigError({
    code: 'no_agent',
    message: 'no agent to test: there is no package.yao above the input, and no `agent` in a viva.config',
    hint: `name one with -n${listAgents(project)}`,
  })
}

/** Why an agent of that name cannot be used, as far as can be found without loading its code. */
export function agentProblem(
  name: string,
  sources: AgentSources,
  withConnector: boolean,
): string | undefined {
  const { project } = sources
  const entry = Object.hasOwn(project.config.agents ?? {}, name) ? project.config.agents?.[name] : undefined
  if (typeof entry === 'object') return undefined
  const [reference, base] = entry === undefined ? [name, project.cwd] : [entry, project.root]
  try {
    if (isForeign(reference, base)) return undefined
    const { connectors } = packageByName(reference, sources)
    return connectors === 'needed' && !withConnector ? `agent ${name} has no connector` : undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Resolves an entry of the config by its name or URL. */
async function configured(name: string, sources: AgentSources): Promise<Resolved | undefined> {
  const agents = sources.project.config.agents ?? {}
  const byUrl = Object.entries(agents).find(
    ([, entry]) => typeof entry === 'object' && 'url' in entry && entry.url === name,
  )
  const [id, entry] = Object.hasOwn(agents, name) ? [name, agents[name]] : (byUrl ?? [name, undefined])
  if (entry === undefined) return undefined
  if (typeof entry === 'string') return byReference(entry, sources.project.root, sources)
  refusePackageFlags(id, sources)
  if (!('a2a' in entry)) return { ...httpAgent(id, entry, surroundingsIn(sources)), connectors: 'none' }
  await requireA2A()
  return { ...a2aAgent(id, entry, surroundingsIn(sources)), connectors: 'none' }
}

async function byReference(reference: string, base: string, sources: AgentSources): Promise<Resolved> {
  const foreign = await withoutConnector(reference, base, sources)
  if (foreign) {
    refusePackageFlags(reference, sources)
    return { ...foreign, connectors: 'none' }
  }
  return withHooks(packageByName(reference, sources), sources)
}

/** A flag that would have no effect must not be ignored silently. */
function refusePackageFlags(reference: string, { connectorFlag, stubAll }: AgentSources): void {
  if (connectorFlag !== undefined) {
    throw new ConfigError({
      code: 'bad_flag',
      message: `-c ${connectorFlag}: ${agentToShow(reference)} has no connector to override`,
    })
  }
  if (stubAll === true) {
    throw new ConfigError({
      code: 'bad_flag',
      message: `--stub-all: ${agentToShow(reference)} calls its tools itself, so they cannot be stubbed`,
      hint: 'only tools of packages can be stubbed',
    })
  }
}
