import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import type { Connectors } from '../app/connectors.ts'
import type { HookFile } from '../app/hook-file.ts'
import type { ToolServers } from '../app/mcps.ts'
import { asksModel, loadPackage, type Package, packageFolder, packageIds } from '../app/package.ts'
import { defined } from '../defined.ts'
import { ConfigError, type Problem } from '../errors.ts'
import type { Price } from '../models/prices.ts'
import { nearest } from '../nearest.ts'
import { agentToShow, urlToShow } from '../network/address.ts'
import type { Network } from '../network/network.ts'
import { a2aAgentSchema } from '../project/a2a-agent-schema.ts'
import { httpAgentSchema } from '../project/http-agent-schema.ts'
import type { Project } from '../project/project.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import { waitingFor } from '../tools/tool.ts'
import type { Data } from '../transcript/message.ts'
import { a2aAgent, requireA2A } from './a2a.ts'
import type { Agent } from './agent.ts'
import { execAgent } from './exec.ts'
import { loadHooks } from './hooks.ts'
import { httpAgent } from './http.ts'
import { moduleAgent } from './module.ts'
import { openAIAgent } from './openai.ts'
import { type OtherAgents, packageAgent } from './package.ts'
import { presetProblem } from './package-prompts.ts'
import { toolsFrom } from './package-servers.ts'

export interface AgentSources {
  project: Project
  connectors: Connectors
  toolServers: ToolServers
  scripts: ScriptHost
  /** To whom packages may hand a turn on. */
  others: OtherAgents
  network: Network
  /** Ends the loading of code that takes too long. */
  loading: AbortSignal
  /** `-c`: beats the agent's own connector and the case's. */
  connectorFlag?: string
  /** `--stub-all` */
  stubAll?: boolean
}

export interface Resolved {
  agent: Agent
  /** What it answers with, where that is known, for the banner and the reports. */
  connector?: string
  /** It was named by `-c`, which beats that of a case. */
  connectorFixed?: boolean
  /** Of an agent that is a model and has no connector. */
  price?: Price
  /** How many characters its prompts add to every call. */
  promptLength?: number
  secrets: string[]
  /** The MCP servers it has, by id. */
  servers?: string[]
  /** `none`: it answers with no connector of ours. `needed`: it has none, so a case must name one. */
  connectors: 'none' | 'own' | 'needed'
  /** What is wrong with a prompt preset that a case names, for agents that have presets. */
  presetProblem?(preset: string): string | undefined
  /** Where files of its own are. */
  folder?: string
  /** What is known of it, for those who write cases for it. */
  about?(signal: AbortSignal): Promise<Data>
  /** Of a package: what in it does nothing. */
  warnings?: readonly Problem[]
  hooks?: HookFile
}

/** `-n`, else the config's default, else the package that the input is in. */
export async function resolveAgent(name: string | undefined, sources: AgentSources): Promise<Resolved> {
  const { project } = sources
  const { config } = project
  if (name !== undefined) {
    return (await configured(name, sources)) ?? byReference(name, project.cwd, sources)
  }
  if (project.packageFolder !== undefined) return loaded(fromPackage(project.packageFolder, sources), sources)
  if (config.agent !== undefined) {
    return (await configured(config.agent, sources)) ?? byReference(config.agent, project.root, sources)
  }
  throw new ConfigError({
    code: 'no_agent',
    message: 'no agent to test: there is no package.yao above the input, and no `agent` in a viva.config',
    hint: `name one with -n${listAgents(project)}`,
  })
}

/** What stands in the way of an agent of that name, as far as it can be told without loading its code. */
export function agentProblem(
  name: string,
  sources: AgentSources,
  withConnector: boolean,
): string | undefined {
  const { project } = sources
  const entry = Object.hasOwn(project.config.agents ?? {}, name) ? project.config.agents?.[name] : undefined
  if (typeof entry === 'object') return undefined
  const [reference, base] = entry === undefined ? [name, project.cwd] : [entry, project.root]
  if (/^(?:openai:|https?:|exec:|a2a:)/.test(reference)) return undefined
  try {
    if (modulePath.test(reference)) {
      moduleFile(reference, base)
      return undefined
    }
    const { connectors } = packageByName(reference, sources)
    return connectors === 'needed' && !withConnector ? `agent ${name} has no connector` : undefined
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** An entry of the config, by its name or by its URL. */
async function configured(name: string, sources: AgentSources): Promise<Resolved | undefined> {
  const agents = sources.project.config.agents ?? {}
  const byUrl = Object.entries(agents).find(
    ([, entry]) => typeof entry === 'object' && 'url' in entry && entry.url === name,
  )
  const [id, entry] = Object.hasOwn(agents, name) ? [name, agents[name]] : (byUrl ?? [name, undefined])
  if (entry === undefined) return undefined
  if (typeof entry === 'string') return byReference(entry, sources.project.root, sources)
  refusePackageFlags(id, sources)
  if (!('a2a' in entry)) return { ...httpAgent(id, entry, sources.network), connectors: 'none' }
  await requireA2A()
  return { ...a2aAgent(id, entry, sources.network), connectors: 'none' }
}

const modulePath = /^(?:\.{0,2}\/|[A-Za-z]:[\\/]|[\w@.-]+\/)?.*\.[cm]?[jt]s(?:#|$)/

async function byReference(reference: string, base: string, sources: AgentSources): Promise<Resolved> {
  const foreign = await withoutConnector(reference, base, sources)
  if (foreign) {
    refusePackageFlags(reference, sources)
    return { ...foreign, connectors: 'none' }
  }
  return loaded(packageByName(reference, sources), sources)
}

function packageByName(reference: string, sources: AgentSources): Resolved {
  const folder = folderOf(reference, sources.project)
  if (folder !== undefined) return fromPackage(folder, sources)
  throw unknownAgent(reference, sources.project)
}

type Found = Pick<Resolved, 'agent' | 'secrets' | 'price'>

/** Agents that are more than a connector and prompts: they bring their own model, if they have one. */
async function withoutConnector(
  reference: string,
  base: string,
  sources: AgentSources,
): Promise<Found | undefined> {
  if (reference.startsWith('openai:'))
    return openAIAgent(reference, sources.network, sources.project.config.prices)
  if (/^https?:/.test(reference)) return fromUrl(reference, sources.network)
  if (reference.startsWith('exec:')) return { agent: execAgent(reference, base), secrets: [] }
  if (reference.startsWith('a2a:')) {
    await requireA2A()
    return fromA2A(reference, sources.network)
  }
  if (modulePath.test(reference)) {
    return { agent: await fromModule(reference, base, sources), secrets: [] }
  }
  return undefined
}

function fromUrl(reference: string, network: Network): Found {
  const parsed = httpAgentSchema.safeParse({ url: reference })
  if (parsed.success) return httpAgent(urlToShow(new URL(reference)), parsed.data, network)
  throw new ConfigError({
    code: 'bad_agent',
    message: `${agentToShow(reference)}: not a URL`,
    hint: 'write http://host:port/path',
  })
}

function fromA2A(reference: string, network: Network): Found {
  const parsed = a2aAgentSchema.safeParse({ a2a: reference.slice('a2a:'.length) })
  if (parsed.success) return a2aAgent(`a2a:${urlToShow(new URL(parsed.data.a2a))}`, parsed.data, network)
  throw new ConfigError({
    code: 'bad_agent',
    message: `${agentToShow(reference)}: not a URL`,
    hint: 'write a2a:https://host/path',
  })
}

async function fromModule(
  reference: string,
  base: string,
  { scripts, project, loading }: AgentSources,
): Promise<Agent> {
  const { file, exportName } = moduleFile(reference, base)
  return moduleAgent(file, exportName, { scripts, project, loading })
}

function moduleFile(reference: string, base: string): { file: string; exportName: string } {
  const [path = '', exportName = 'default'] = reference.split('#')
  const file = isAbsolute(path) ? path : resolve(base, path)
  if (existsSync(file)) return { file, exportName }
  throw new ConfigError({
    code: 'unknown_agent',
    message: `agent ${reference}: no such file ${join(file)}`,
  })
}

/** With the code of its hooks, which must not be found broken in the middle of a run. */
async function loaded(resolved: Resolved, { scripts, loading }: AgentSources): Promise<Resolved> {
  if (resolved.hooks !== undefined) await loadHooks(resolved.hooks, scripts, loading)
  return resolved
}

function fromPackage(folder: string, sources: AgentSources): Resolved {
  const pack = loadPackage(sources.project, folder)
  if (!asksModel(pack) && sources.connectorFlag !== undefined) throw noModel(pack.id, sources.connectorFlag)
  const connector = asksModel(pack) ? connectorOf(pack, sources) : undefined
  const globalPrompts = pack.disableGlobalPrompts ? [] : pack.globalPrompts
  return {
    agent: packageAgent(pack, sources),
    secrets: [],
    servers: pack.tools.servers.map(({ id }) => id),
    // A hook may choose one.
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

/** In the words of generators. */
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
  const message = `-c ${connectorFlag}: ${id} asks no model: it has neither prompts nor tools`
  return new ConfigError({ code: 'bad_flag', message })
}

/** A flag that would change nothing must not be taken in silence. */
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
      message: `--stub-all: ${agentToShow(reference)} calls its tools itself, so none of them can be held back`,
      hint: 'only the tools of packages can be',
    })
  }
}

function unknownAgent(name: string, project: Project): ConfigError {
  const guess = nearest(name, knownAgents(project))
  return new ConfigError({
    code: 'unknown_agent',
    message: `unknown agent "${name}"${listAgents(project)}`,
    ...(guess === undefined ? {} : { hint: `did you mean "${guess}"?` }),
  })
}

/** Of a name that a script or a hook gives: only agents of the app and of the config are meant by those. */
export function namedAgentProblem(name: string, project: Project): string | undefined {
  const known = Object.hasOwn(project.config.agents ?? {}, name) || folderOf(name, project) !== undefined
  return known ? undefined : unknownAgent(name, project).message
}

function folderOf(reference: string, project: Project): string | undefined {
  return (
    packageFolder(project, reference) ??
    packageFolder(project, reference.replace(/^assistants\./, '').replace(/\.agent$/, ''))
  )
}

/** By the names that `-n` takes. */
export function knownAgents(project: Project): string[] {
  return [...Object.keys(project.config.agents ?? {}), ...packageIds(project)]
}

function listAgents(project: Project): string {
  const known = knownAgents(project)
  return known.length === 0 ? '; there are none here' : `; there are: ${known.join(', ')}`
}
