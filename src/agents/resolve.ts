import { ConfigError, catchProblem } from '../errors.ts'
import { redactAgentName } from '../models/network/address.ts'
import type { Agent } from './agent.ts'
import { configuredAgent, describeAgents } from './agent-names.ts'
import {
  resolveModelAgent,
  resolvePackage,
  resolvePackageByName,
  resolveWithTools,
  withLoadedHooks,
} from './package/resolve-package.ts'
import { isExternalReference, resolveReference } from './resolve-reference.ts'
import type { AgentOrigin, AgentSources, ResolvedAgent } from './resolved.ts'

/** The agent named by `-n`, else the package that contains the input, else the default of the config. */
export async function resolveAgent(name: string | undefined, sources: AgentSources): Promise<ResolvedAgent> {
  const { project } = sources
  const { config } = project
  if (name !== undefined) return resolveNamed(name, project.cwd, sources)
  if (project.packageFolder !== undefined)
    return withLoadedHooks(resolvePackage(project.packageFolder, sources), sources)
  if (config.agent !== undefined) return resolveNamed(config.agent, project.root, sources)
  throw new ConfigError({
    code: 'no_agent',
    message: 'no agent to test: there is no package.yao above the input, and no `agent` in a viva.config',
    hint: `name one with -n${describeAgents(project)}`,
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
  if (typeof entry === 'object')
    return 'connector' in entry ? catchProblem(() => void resolveModelAgent(name, entry, sources)) : undefined
  const [reference, base] = entry === undefined ? [name, project.cwd] : [entry, project.root]
  return catchProblem(() => {
    if (isExternalReference(reference, base)) return undefined
    const { connectors } = resolvePackageByName(reference, sources)
    return connectors === 'needed' && !withConnector ? `agent ${name} has no connector` : undefined
  })
}

async function resolveNamed(name: string, base: string, sources: AgentSources): Promise<ResolvedAgent> {
  return (await resolveConfigured(name, sources)) ?? resolveByReference(name, base, sources)
}

/** Resolves an entry of the config by its name or URL. */
async function resolveConfigured(name: string, sources: AgentSources): Promise<ResolvedAgent | undefined> {
  const { id = name, entry } = configuredAgent(name, sources.project) ?? {}
  if (entry === undefined) return undefined
  if (typeof entry === 'string')
    return {
      ...(await resolveByReference(entry, sources.project.root, { ...sources, configured: id })),
      configured: id,
    }
  if ('connector' in entry) return resolveWithTools(id, entry, sources)
  rejectPackageFlags(id, sources)
  const { agentSurroundings, httpAgent } = await import('./adapters/http.ts')
  const known = { connectors: 'none', configured: id } as const
  if (!('a2a' in entry)) {
    const origin: AgentOrigin = { kind: 'http', reference: entry.url, entry }
    return { ...httpAgent(id, entry, agentSurroundings(sources)), ...known, origin }
  }
  const { a2aAgent, requireA2A } = await import('./adapters/a2a.ts')
  await requireA2A()
  const origin: AgentOrigin = { kind: 'a2a', reference: entry.a2a, entry }
  return { ...a2aAgent(id, entry, agentSurroundings(sources)), ...known, origin }
}

async function resolveByReference(
  reference: string,
  base: string,
  sources: AgentSources & { configured?: string },
): Promise<ResolvedAgent> {
  const foreign = await resolveReference(reference, base, sources)
  if (foreign) {
    rejectPackageFlags(reference, sources, foreign.agent)
    return { ...foreign, connectors: 'none' }
  }
  return withLoadedHooks(resolvePackageByName(reference, sources), sources)
}

/** A flag that would have no effect must not be ignored silently. */
function rejectPackageFlags(
  reference: string,
  { connectorFlag, stubAll }: AgentSources,
  { tools }: Partial<Agent> = {},
): void {
  const agent = redactAgentName(reference)
  if (connectorFlag !== undefined) {
    const message = `-c ${connectorFlag}: ${agent} has no connector to override`
    throw new ConfigError({ code: 'bad_flag', message })
  }
  if (stubAll === true && tools !== 'wrapped') {
    const message = `--stub-all: ${agent} calls its tools itself, so they cannot be stubbed`
    throw new ConfigError({
      code: 'bad_flag',
      message,
      hint: 'viva can stub tools of packages, of agents with a connector in the config, and of modules: those of AI SDK agents, and what ctx.tools({ … }) returns',
    })
  }
}
