import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { ConfigError, errorMessage } from '../../errors.ts'
import type { McpServerConfig, ModelAgentConfig } from '../model-agent-schema.ts'
import type { Project } from '../project.ts'
import type { Connectors } from './connectors.ts'
import type { Package } from './package.ts'

const defaultToolRounds = 10

/** The entries of `agents` in the config that are a model with a prompt and tools. */
export function listModelAgents({ config }: Project): [id: string, agent: ModelAgentConfig][] {
  return Object.entries(config.agents ?? {}).flatMap(([id, entry]) =>
    typeof entry === 'object' && 'connector' in entry ? [[id, entry]] : [],
  )
}

/** Such an entry as a package, so that one implementation answers for both. */
export function loadModelAgent(
  id: string,
  agent: ModelAgentConfig,
  { project, connectors }: { project: Project; connectors: Pick<Connectors, 'named'> },
): Package {
  const { connector, prompt, mcp = {}, settings = {}, max_tool_rounds: maxTurn = defaultToolRounds } = agent
  const content = prompt === undefined ? undefined : readPrompt(project, id, prompt)
  const servers = Object.entries(mcp).map(([server, { tools }]) => ({ id: server, ...(tools && { tools }) }))
  return {
    id,
    folder: project.root,
    file: configPath(project),
    connector: connectors.named(connector),
    options: settings,
    env: project.env,
    globalPrompts: [],
    disableGlobalPrompts: true,
    prompts: content === undefined ? [] : [{ role: 'system', content }],
    presets: new Map(),
    tools: { servers, declared: true, maxTurn, loop: true, most: Number.POSITIVE_INFINITY },
    translate: (text) => text,
    engineKeys: [],
    warnings: [],
  }
}

export interface ConfiguredServer {
  id: string
  /** The config, for messages. */
  file: string
  settings: McpServerConfig
}

/** The MCP servers that agents of the config name. Agents that write the same settings share a server. */
export function listConfiguredServers(project: Project): ConfiguredServer[] {
  const file = configPath(project)
  const found = new Map<string, ConfiguredServer & { agent: string; text: string }>()
  for (const [agent, { mcp = {} }] of listModelAgents(project)) {
    for (const [id, { tools: _, ...settings }] of Object.entries(mcp)) {
      const text = JSON.stringify(settings)
      const earlier = found.get(id)
      if (earlier !== undefined && earlier.text !== text) {
        const message = `agents ${earlier.agent} and ${agent} name different MCP servers "${id}"`
        throw new ConfigError({ code: 'same_server', message, file, hint: 'rename one of them' })
      }
      found.set(id, { id, file, settings, agent, text })
    }
  }
  return [...found.values()]
}

function configPath({ cwd, configFile }: Project): string {
  return configFile === undefined ? 'the config' : relative(cwd, configFile)
}

/** A prompt of one line that ends with `.md` or `.txt` is a file. */
function readPrompt(project: Project, id: string, prompt: string): string {
  if (!/^\S.*\.(?:md|txt)$/.test(prompt) || prompt.includes('\n')) return prompt
  const path = resolve(project.root, prompt)
  try {
    return readFileSync(path, 'utf8').trimEnd()
  } catch (error) {
    const message = `agent ${id}: the prompt ${prompt} cannot be read: ${errorMessage(error)}`
    throw new ConfigError({ code: 'missing_prompt', message, file: configPath(project) })
  }
}
