import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { asksModel, loadPackage, type Package } from '../../project/app/package.ts'
import type { Data } from '../../results/transcript/message.ts'
import { waitingFor } from '../../tools/tool.ts'
import { agentFolder, unknownAgent } from '../agent-names.ts'
import type { AgentSources, Resolved } from '../resolved.ts'
import { loadHooks } from './hooks.ts'
import { packageAgent } from './package.ts'
import { presetProblem } from './package-prompts.ts'
import { toolsFrom } from './package-servers.ts'

export function packageByName(reference: string, sources: AgentSources): Resolved {
  const folder = agentFolder(reference, sources.project)
  if (folder !== undefined) return fromPackage(folder, sources)
  throw unknownAgent(reference, sources.project)
}

/** Loads the hooks now, so that broken ones are not found in the middle of a run. */
export async function withHooks(resolved: Resolved, { scripts, loading }: AgentSources): Promise<Resolved> {
  if (resolved.hooks !== undefined) await loadHooks(resolved.hooks, scripts, loading)
  return resolved
}

export function fromPackage(folder: string, sources: AgentSources): Resolved {
  const pack = loadPackage(sources.project, folder)
  if (!asksModel(pack) && sources.connectorFlag !== undefined) throw noModel(pack.id, sources.connectorFlag)
  const connector = asksModel(pack) ? connectorOf(pack, sources) : undefined
  const globalPrompts = pack.disableGlobalPrompts ? [] : pack.globalPrompts
  return {
    agent: packageAgent(pack, sources),
    secrets: [],
    servers: pack.tools.servers.map(({ id }) => id),
    // A `Create` hook may choose the connector.
    connectors:
      connector === undefined && asksModel(pack) && !pack.hooks?.names.includes('Create') ? 'needed' : 'own',
    presetProblem: (preset) => presetProblem(pack, preset),
    folder,
    warnings: pack.warnings,
    about: (signal) => aboutPackage(pack, sources, signal),
    connectorFixed: sources.connectorFlag !== undefined,
    promptLength: [...globalPrompts, ...pack.prompts].reduce((sum, { content }) => sum + content.length, 0),
    ...defined({ connector, hooks: pack.hooks }),
  }
}

/** A description of the package for case generators. */
async function aboutPackage(
  pack: Package,
  { toolServers }: AgentSources,
  signal: AbortSignal,
): Promise<Data> {
  const tools = await toolsFrom(pack, pack.tools.servers, toolServers, waitingFor(signal))
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

function connectorOf(
  { connector }: Package,
  { connectorFlag, connectors }: AgentSources,
): string | undefined {
  const written = connectorFlag ?? connector ?? connectors.standard()
  return written === undefined ? undefined : connectors.idOf(written)
}

function noModel(id: string, connectorFlag: string): ConfigError {
  const message = `-c ${connectorFlag}: ${id} does not use a model: it has neither prompts nor tools`
  return new ConfigError({ code: 'bad_flag', message })
}
