import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { loadModelAgent } from '../../project/app/model-agent.ts'
import { loadPackage, type Package, usesModel } from '../../project/app/package.ts'
import type { ModelAgentConfig } from '../../project/model-agent-schema.ts'
import type { Data } from '../../results/transcript/message.ts'
import { waitOutsideCase } from '../../tools/tool.ts'
import { agentFolder, unknownAgentError } from '../agent-names.ts'
import type { AgentSources, ResolvedAgent } from '../resolved.ts'
import { loadHooks } from './hooks.ts'
import { packageAgent } from './package.ts'
import { presetProblem } from './package-prompts.ts'
import { loadModuleTools, loadOwnTools } from './package-servers.ts'

export function resolvePackageByName(reference: string, sources: AgentSources): ResolvedAgent {
  const folder = agentFolder(reference, sources.project)
  if (folder !== undefined) return resolvePackage(folder, sources)
  throw unknownAgentError(reference, sources.project)
}

/** Loads the hooks now, so that broken ones are not found in the middle of a run. */
export async function withLoadedHooks(
  resolved: ResolvedAgent,
  { scripts, loading }: AgentSources,
): Promise<ResolvedAgent> {
  if (resolved.hooks !== undefined) await loadHooks(resolved.hooks, scripts, loading)
  return resolved
}

export function resolvePackage(folder: string, sources: AgentSources): ResolvedAgent {
  return resolveLoaded(loadPackage(sources.project, folder), sources)
}

/** An agent of the config: a model with a prompt and tools. */
export function resolveModelAgent(id: string, agent: ModelAgentConfig, sources: AgentSources): ResolvedAgent {
  return resolveLoaded(loadModelAgent(id, agent, sources), sources)
}

/** Loads the modules with its tools now, so that broken ones are not found in the middle of a run. */
export async function resolveWithTools(
  id: string,
  agent: ModelAgentConfig,
  sources: AgentSources,
): Promise<ResolvedAgent> {
  const resolved = resolveModelAgent(id, agent, sources)
  await loadModelAgentTools(id, agent, sources)
  return resolved
}

/** Loads the modules with the tools of an agent of the config. */
export async function loadModelAgentTools(
  id: string,
  agent: ModelAgentConfig,
  sources: Pick<AgentSources, 'project' | 'connectors' | 'toolServers' | 'loading'>,
): Promise<void> {
  const pack = loadModelAgent(id, agent, sources)
  await loadModuleTools(pack, sources.toolServers, waitOutsideCase(sources.loading))
}

function resolveLoaded(pack: Package, sources: AgentSources): ResolvedAgent {
  if (!usesModel(pack) && sources.connectorFlag !== undefined)
    throw noModelError(pack.id, sources.connectorFlag)
  const connector = usesModel(pack) ? packageConnector(pack, sources) : undefined
  const globalPrompts = pack.disableGlobalPrompts ? [] : pack.globalPrompts
  return {
    agent: packageAgent(pack, sources),
    origin: { kind: 'package', pack },
    secrets: [],
    servers: pack.tools.servers.map(({ id }) => id),
    toolModules: pack.tools.modules,
    // A `Create` hook may choose the connector.
    connectors:
      connector === undefined && usesModel(pack) && !pack.hooks?.names.includes('Create') ? 'needed' : 'own',
    presetProblem: (preset) => presetProblem(pack, preset),
    folder: pack.folder,
    warnings: pack.warnings,
    about: (signal) => describePackage(pack, sources, signal),
    connectorFixed: sources.connectorFlag !== undefined,
    promptLength: [...globalPrompts, ...pack.prompts].reduce((sum, { content }) => sum + content.length, 0),
    ...defined({ connector, hooks: pack.hooks }),
  }
}

/** A description of the package for case generators. */
async function describePackage(
  pack: Package,
  { toolServers }: AgentSources,
  signal: AbortSignal,
): Promise<Data> {
  const tools = await loadOwnTools(pack, toolServers, waitOutsideCase(signal))
  const described = tools.map(({ name, description, inputSchema }) => ({
    name,
    ...defined({ description }),
    parameters: inputSchema,
  }))
  return defined({
    target_description: pack.translate(pack.description ?? pack.name, 'en-us'),
    target_prompts: pack.prompts.length === 0 ? undefined : pack.prompts.map(({ content }) => content),
    target_tools: described.length === 0 ? undefined : described,
  })
}

function packageConnector(
  { connector }: Package,
  { connectorFlag, connectors }: AgentSources,
): string | undefined {
  const written = connectorFlag ?? connector ?? connectors.standard()
  return written === undefined ? undefined : connectors.idOf(written)
}

function noModelError(id: string, connectorFlag: string): ConfigError {
  const message = `-c ${connectorFlag}: ${id} does not use a model: it has neither prompts nor tools`
  return new ConfigError({ code: 'bad_flag', message })
}
