import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { ConfigError, errorMessage, type Problem } from '../../errors.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { ToolModule } from '../../tools/module-server.ts'
import type { McpServerConfig, ModelAgentConfig, SimulatorToolsConfig } from '../model-agent-schema.ts'
import { type Project, projectPath } from '../project.ts'
import { findMisspeltSettings, findUnsentSettings, type ProviderType } from './connector-options.ts'
import type { Connectors } from './connectors.ts'
import type { Package } from './package.ts'
import type { PackageTools } from './package-tools.ts'

const defaultToolRounds = 10
/** The key that sets it. */
const toolRoundsKey = 'max_tool_rounds'

/** The entries of `agents` in the config that are a model with a prompt and tools. */
export function listModelAgents({ config }: Project): [id: string, agent: ModelAgentConfig][] {
  return Object.entries(config.agents ?? {}).flatMap(([id, entry]) =>
    typeof entry === 'object' && 'connector' in entry ? [[id, entry]] : [],
  )
}

/** Whatever in the config has tools: agents that are a model, and the users that `viva.simulator` plays. */
function listToolOwners(project: Project): [id: string, owner: SimulatorToolsConfig][] {
  const { simulator } = project.config.helpers ?? {}
  const agents = listModelAgents(project)
  return simulator === undefined ? agents : [...agents, ['helpers.simulator', simulator]]
}

interface Surroundings {
  project: Project
  connectors: Pick<Connectors, 'named' | 'typeOf'>
}

/** Such an entry as a package, so that one implementation answers for both. Throws all its mistakes together. */
export function loadModelAgent(id: string, agent: ModelAgentConfig, around: Surroundings): Package {
  const { project, connectors } = around
  const { prompt, settings = {} } = agent
  const connector = connectors.named(agent.connector)
  const type = connectors.typeOf(connector)
  const problems = [
    ...promptProblem(project, prompt),
    ...findMissingModules(project, agent),
    ...toolsProblem(settings),
    ...(type === undefined || type === 'scripted' ? [] : findMisspeltSettings(type, settings)),
  ]
  const file = configPath(project)
  if (problems.length > 0)
    throw new ConfigError(
      problems.map(({ message, ...more }) => ({
        code: 'bad_agent',
        file,
        message: `agent ${id}: ${message}`,
        ...more,
      })),
    )
  const content = readPrompt(project, prompt)
  return {
    id,
    folder: project.root,
    file,
    connector,
    options: settings,
    env: project.env,
    globalPrompts: [],
    disableGlobalPrompts: true,
    prompts: content === undefined ? [] : [{ role: 'system', content }],
    presets: new Map(),
    tools: readTools(project, agent),
    translate: (text) => text,
    engineKeys: [],
    warnings: type === undefined || type === 'scripted' ? [] : warnUnsentSettings(type, settings, file),
  }
}

/** `helpers.simulator` of the config. */
export function loadSimulatorTools(project: Project): Pick<Package, 'id' | 'file' | 'tools'> | undefined {
  const { simulator } = project.config.helpers ?? {}
  if (simulator === undefined) return undefined
  const file = configPath(project)
  const problems = findMissingModules(project, simulator)
  if (problems.length > 0)
    throw new ConfigError(
      problems.map(({ message, ...more }) => ({
        code: 'bad_tools',
        file,
        message: `helpers.simulator: ${message}`,
        ...more,
      })),
    )
  return { id: 'viva.simulator', file, tools: readTools(project, simulator) }
}

function readTools(project: Project, owner: SimulatorToolsConfig): PackageTools {
  const { mcp = {}, [toolRoundsKey]: maxTurn = defaultToolRounds } = owner
  return {
    servers: Object.entries(mcp).map(([id, { tools }]) => ({ id, ...(tools && { tools }) })),
    modules: findModules(project, owner),
    declared: true,
    maxTurn,
    maxTurnKey: toolRoundsKey,
    loop: true,
    most: Number.POSITIVE_INFINITY,
  }
}

function warnUnsentSettings(type: ProviderType, settings: Data, file: string): Problem[] {
  return findUnsentSettings(type, settings).map((key) => {
    const message = `settings.${key} has no effect: the API of type "${type}" has no such setting`
    return { code: 'unsent_setting', message, file, key }
  })
}

/** The modules whose exports are tools of agents of the config, by their absolute path. */
export function listToolModules(project: Project): ToolModule[] {
  const paths = new Set(listToolOwners(project).flatMap(([, owner]) => findModules(project, owner)))
  const isolated = project.config.isolate === 'case'
  return [...paths].map((path) => ({ path, file: relative(project.cwd, path), isolated }))
}

/** The modules with the tools of an agent, by their absolute path. */
export function findModules({ root }: Project, { tools = [] }: SimulatorToolsConfig): string[] {
  return [...new Set([tools].flat().map((path) => resolve(root, path)))]
}

function findMissingModules(
  project: Project,
  owner: SimulatorToolsConfig,
): Pick<Problem, 'message' | 'hint'>[] {
  return findModules(project, owner)
    .filter((path) => !existsSync(path))
    .map((path) => ({
      message: `there is no file ${projectPath(project, path)} with its tools`,
      hint: 'paths are relative to the folder of the config',
    }))
}

export interface ConfiguredServer {
  id: string
  /** The config, for messages. */
  file: string
  settings: McpServerConfig
}

/** The MCP servers that agents of the config and its simulated users name. Those that write the same settings share a server. */
export function listConfiguredServers(project: Project): ConfiguredServer[] {
  const file = configPath(project)
  const found = new Map<string, ConfiguredServer & { owner: string; text: string }>()
  for (const [owner, { mcp = {} }] of listToolOwners(project)) {
    for (const [id, { tools: _, ...settings }] of Object.entries(mcp)) {
      const text = JSON.stringify(settings)
      const earlier = found.get(id)
      if (earlier !== undefined && earlier.text !== text) {
        const message = `${earlier.owner} and ${owner} name different MCP servers "${id}"`
        throw new ConfigError({ code: 'same_server', message, file, hint: 'rename one of them' })
      }
      found.set(id, { id, file, settings, owner, text })
    }
  }
  return [...found.values()]
}

/** Tools that the provider runs, or that nobody runs: viva could neither check nor stub them. */
function toolsProblem(settings: Data): Pick<Problem, 'message' | 'hint'>[] {
  if (settings.tools === undefined) return []
  const message = 'settings.tools is not allowed: viva must be able to run and stub the tools of an agent'
  const hint = 'name MCP servers in "mcp" of the agent, or a module in "tools" of the agent'
  return [{ message, hint }]
}

function configPath({ cwd, configFile }: Project): string {
  return configFile === undefined ? 'the config' : relative(cwd, configFile)
}

/** A prompt of one line is a file if it ends with `.md` or `.txt`, or is clearly a path: else a mistyped one would be the text. */
const promptPath = /^(?:\S.*\.(?:md|txt)|\.{1,2}[\\/]\S*|\S*[\\/]\S*\.\w+)$/

function readPrompt(project: Project, prompt: string | undefined): string | undefined {
  if (prompt === undefined || !promptPath.test(prompt)) return prompt
  return readFileSync(resolve(project.root, prompt), 'utf8').trimEnd()
}

/** The file with the prompt of an agent of the config, by its absolute path. */
export function promptFile(project: Project, id: string): string | undefined {
  const [, { prompt = '' } = {}] = listModelAgents(project).find(([name]) => name === id) ?? []
  return promptPath.test(prompt) ? resolve(project.root, prompt) : undefined
}

function promptProblem(project: Project, prompt: string | undefined): Pick<Problem, 'message' | 'hint'>[] {
  try {
    readPrompt(project, prompt)
    return []
  } catch (error) {
    const { code } = error instanceof Error && 'code' in error ? error : { code: undefined }
    const why = code === 'ENOENT' ? 'there is no such file' : errorMessage(error)
    const hint = 'write the path relative to the folder of the config, or the text itself'
    return [{ message: `the prompt ${prompt} cannot be read: ${why}`, hint }]
  }
}
