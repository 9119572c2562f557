import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import { durationSchema } from '../../json/validation/duration-schema.ts'
import { buildBasicAuth, findSecrets, withoutCredentials } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import { isSecretField, secretValues } from '../../privacy/secret-variables.ts'
import type { ScriptHost } from '../../scripts/runner/script-host.ts'
import type { Environment } from '../../system/environment.ts'
import { checkCommand } from '../../system/find-command.ts'
import { parseDuration } from '../../text/duration.ts'
import { createMcpServer, type ToolLists } from '../../tools/mcp-server.ts'
import type { McpCommand, McpEndpoint, McpSettings } from '../../tools/mcp-settings.ts'
import { createModuleServer, type ModuleServer } from '../../tools/module-server.ts'
import type { RunProcess } from '../../tools/process-call.ts'
import { createProcessServer, type ProcessParts } from '../../tools/process-server.ts'
import { ResetLane } from '../../tools/reset-lane.ts'
import type { ToolServer } from '../../tools/tool.ts'
import type { Project } from '../project.ts'
import { expandEnv } from './env.ts'
import { listConfiguredServers, listToolModules } from './model-agent.ts'
import { readProcessPrompts } from './process-prompts.ts'
import { readProcessResources } from './process-resources.ts'
import { readProcessTools } from './process-tools.ts'
import {
  badServerError,
  findServerFiles,
  mappingFolder,
  parseServerData,
  type ServerFile,
} from './server-files.ts'
import { unknownIdError } from './unknown-id.ts'

/** The MCP servers of an app. There is one instance per server. */
export interface ToolServers {
  ids(): string[]
  /** Throws `ConfigError` for an unknown server or an invalid file. Does not start the server. */
  server(id: string): ToolServer
  /** What is written of a server. Throws like `server`. */
  written(id: string): WrittenServer
  /**
   * `agents`: named in the config, by agents alone. `case`: of the app, started or reset for each case. `project`: of the
   * app, and not viva's to start, or shared by all cases.
   */
  belongsTo(id: string): 'agents' | 'case' | 'project'
  /** The tools of a module, by its absolute path. */
  module(path: string): ModuleServer
  /** True if a server that all cases use is reset before each case: cases must then run one at a time. */
  oneAtATime(): boolean
  /** Announces how many plays of cases may use the servers. */
  expect(plays: number): void
  /** Messages for the user at the end of the run. */
  notices(): string[]
  /** Keys and tokens that reports must not show. */
  secrets(): string[]
  close(): Promise<void>
}

/** The keys of `*.mcp.yao` that viva reads. The Yao engine has more, which have no effect here. */
const mcpSchema = z.looseObject({
  transport: z.enum(['stdio', 'http', 'sse', 'process']),
  command: z.string().optional(),
  arguments: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  url: z.string().optional(),
  endpoint: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  authorization_token: z.string().optional(),
  timeout: durationSchema.optional(),
  shared: z.boolean().optional(),
  reset: z.string().min(1).optional(),
  tools: z.unknown().optional(),
  resources: z.unknown().optional(),
  prompts: z.unknown().optional(),
  mapping: z.string().optional(),
})

type McpFile = z.infer<typeof mcpSchema>

export interface WrittenServer {
  settings: McpFile
  /** The folder in which its command is started. */
  cwd: string
  /** The folder that describes the tools of a server with transport `process`, and the processes behind them. */
  mapping?: string
}

/** `runProcess` runs the tools that are processes of the app, and `scripts` those of modules. */
export function findToolServers(
  project: Project,
  network: Network,
  runProcess: RunProcess,
  scripts: ScriptHost,
  lists?: ToolLists,
): ToolServers {
  const found = findServers(project)
  const modules = new Map(
    listToolModules(project).map((module) => [module.path, createModuleServer(module, scripts)]),
  )
  const servers = new Map<string, ToolServer>()
  const secrets = new Set<string>()
  const lane = new ResetLane()
  let expected: number | undefined
  const find = (id: string) => {
    const source = found.get(id)
    if (source === undefined) throw unknownIdError('MCP server', 'unknown_mcp_server', id, found.keys())
    return source
  }
  return {
    ids: () => [...found.keys()].sort(),
    server(id) {
      const source = find(id)
      const known = servers.get(id)
      if (known !== undefined) return known
      const server = createServer(source, { env: project.env, network, runProcess, lane, lists }, secrets)
      if (expected !== undefined) server.expect?.(expected)
      servers.set(id, server)
      return server
    },
    written(id) {
      const source = find(id)
      const settings = source.read()
      return { settings, cwd: source.cwd, ...defined({ mapping: source.mapping?.(settings) }) }
    },
    belongsTo(id) {
      const source = find(id)
      if (source.ofAgents) return 'agents'
      const { transport, shared } = source.read()
      return transport === 'http' || transport === 'sse' || shared ? 'project' : 'case'
    },
    module(path) {
      const server = modules.get(path)
      if (server === undefined) throw unknownIdError('tools', 'unknown_tools', path, modules.keys())
      return server
    },
    oneAtATime: () => [...found.values()].some(isResetEndpoint),
    expect(plays) {
      expected = plays
      for (const server of servers.values()) server.expect?.(plays)
    },
    notices: () => [...servers.values()].flatMap((server) => server.notices?.() ?? []),
    secrets: () => [...secrets],
    async close() {
      // A server that does not close properly does not change any result.
      await Promise.allSettled([...servers.values()].map((server) => server.close()))
    },
  }
}

/** A server as a file of the app or an agent of the config describes it. */
interface ServerSource {
  id: string
  /** For messages. */
  file: string
  /** The folder in which its command is started. */
  cwd: string
  read(): McpFile
  /** Only agents of the config, or the users that it describes, have it. */
  ofAgents?: true
  /** For transport `process`. */
  parts?(file: McpFile): ProcessParts
  mapping?(file: McpFile): string
}

function findServers(project: Project): Map<string, ServerSource> {
  const found = new Map<string, ServerSource>()
  for (const from of findServerFiles(project)) found.set(from.id, fileSource(from, project))
  for (const { id, file, settings } of listConfiguredServers(project)) {
    const earlier = found.get(id)
    if (earlier !== undefined) {
      const message = `MCP server "${id}" is also in ${earlier.file}`
      throw new ConfigError({ code: 'same_server', message, file, hint: 'rename one of them' })
    }
    const transport = 'command' in settings ? 'stdio' : (settings.transport ?? 'http')
    const read = (): McpFile => ({ ...settings, transport })
    found.set(id, { id, file, cwd: project.root, read, ofAgents: true })
  }
  return found
}

function fileSource(from: ServerFile, { appRoot, root }: Project): ServerSource {
  return {
    id: from.id,
    file: from.file,
    cwd: appRoot ?? root,
    read: () => parseServerData(mcpSchema, parseJsonc(readFileSync(from.path, 'utf8'), from.file), from),
    parts: (file) => readParts(from, file),
    mapping: (file) => mappingFolder(from, file.mapping),
  }
}

/** Ignores errors in the file: they are reported when the server is used. */
function isResetEndpoint(source: ServerSource): boolean {
  try {
    const { reset, transport } = source.read()
    return reset !== undefined && transport !== 'stdio'
  } catch {
    return false
  }
}

interface ServerSurroundings {
  env: Environment
  network: Network
  runProcess: RunProcess
  lane: ResetLane
  lists: ToolLists | undefined
}

function createServer(
  from: ServerSource,
  { env, network, runProcess, lane, lists }: ServerSurroundings,
  secrets: Set<string>,
): ToolServer {
  const file = from.read()
  checkSharing(from, file)
  if (file.transport === 'process' && from.parts !== undefined)
    return createProcessServer(from.id, from.parts(file), runProcess)
  const { shared, reset } = file
  const timeoutMs = file.timeout === undefined ? undefined : parseDuration(file.timeout)
  const settings: McpSettings =
    file.transport === 'stdio'
      ? { ...readCommand(from, file, env, secrets), ...defined({ timeoutMs, shared, reset }) }
      : {
          ...readEndpoint(from, file, { transport: file.transport === 'sse' ? 'sse' : 'http', env }, secrets),
          network,
          ...defined({ timeoutMs, reset }),
        }
  return createMcpServer(from.id, settings, lane, lists)
}

/** Rejects settings that would have no effect. */
function checkSharing(from: ServerSource, { transport, shared, reset }: McpFile): void {
  if (shared !== undefined && transport !== 'stdio')
    throw badServerError(from, '"shared" is for transport "stdio": cases share all other servers')
  if (reset !== undefined && transport === 'process')
    throw badServerError(from, '"reset" is for MCP servers, not for transport "process"')
  const both = '"shared" and "reset" cannot be combined: a process that cases share is not reset'
  if (shared && reset !== undefined) throw badServerError(from, both)
}

function readParts(from: ServerFile, file: McpFile): ProcessParts {
  const server = { from, folder: mappingFolder(from, file.mapping) }
  const parts = {
    tools: readProcessTools(server, file.tools),
    resources: readProcessResources(server, file.resources),
    prompts: readProcessPrompts(server, file.prompts),
  }
  if (Object.values(parts).every(({ length }) => length === 0))
    throw badServerError(from, 'transport "process" needs "tools"')
  return parts
}

function readCommand(from: ServerSource, file: McpFile, env: Environment, secrets: Set<string>): McpCommand {
  if (file.command === undefined) throw badServerError(from, 'transport "stdio" needs a command')
  const expand = (text: string) => {
    const expanded = expandEnv(text, from.file, env)
    if (expanded !== text) secrets.add(expanded)
    return expanded
  }
  const args = (file.arguments ?? file.args ?? []).map(expand)
  const command = expandEnv(file.command, from.file, env)
  const own = Object.fromEntries(Object.entries(file.env ?? {}).map(([name, value]) => [name, expand(value)]))
  for (const secret of secretValues(own)) secrets.add(secret)
  const variables = { ...env, ...own }
  checkCommand(command, { cwd: from.cwd, label: `MCP server ${from.id}`, file: from.file, env: variables })
  return { transport: 'stdio', command, args, env: variables, cwd: from.cwd }
}

function readEndpoint(
  from: ServerSource,
  file: McpFile,
  { transport, env }: { transport: 'http' | 'sse'; env: Environment },
  secrets: Set<string>,
): Omit<McpEndpoint, 'network'> {
  const expand = (text: string) => expandEnv(text, from.file, env)
  const address = file.url === undefined ? undefined : `${expand(file.url)}${expand(file.endpoint ?? '')}`
  if (address === undefined || !/^https?:/.test(address) || !URL.canParse(address)) {
    throw badServerError(from, `transport "${transport}" needs an http(s) url`)
  }
  const url = new URL(address)
  for (const secret of findSecrets(url)) secrets.add(secret)
  const headers: Record<string, string> = { ...buildBasicAuth(url) }
  for (const [name, value] of Object.entries(file.headers ?? {})) {
    const expanded = expand(value)
    headers[name.toLowerCase()] = expanded
    if (expanded !== value || isSecretField(name, value)) secrets.add(withoutScheme(expanded))
  }
  if (file.authorization_token !== undefined) {
    const token = withoutScheme(expand(file.authorization_token))
    secrets.add(token)
    headers.authorization = `Bearer ${token}`
  }
  return { transport, url: withoutCredentials(url), headers }
}

/** A token as others than HTTP know it. */
function withoutScheme(authorization: string): string {
  return authorization.replace(/^(?:Bearer|Basic) /i, '')
}
