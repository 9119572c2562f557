import { isRecord } from '../../json/json.ts'
import { buildBasicAuth, withoutCredentials } from '../../models/network/address.ts'
import { createNetwork, type Network } from '../../models/network/network.ts'
import { readProxies } from '../../models/network/proxies.ts'
import { expandEnv } from '../../project/app/env.ts'
import type { McpServerConfig } from '../../project/model-agent-schema.ts'
import type { Environment } from '../../system/environment.ts'
import { checkCommand } from '../../system/find-command.ts'
import { connectMcp, type McpConnection } from '../../tools/mcp-connection.ts'
import type { McpSettings } from '../../tools/mcp-settings.ts'
import { toolName } from '../../tools/tool.ts'
import { isReadingTool } from './first-cases.ts'
import type { Folder } from './folder.ts'
import type { McpFileServers } from './mcp-file.ts'

/** A tool that a server offers. */
export interface McpTool {
  /** The id of its server. */
  server: string
  name: string
  /** As the model sees it. */
  fullName: string
  description?: string
  inputSchema: Record<string, unknown>
  /** What the server says about it. */
  annotations?: { readOnlyHint?: boolean | undefined; destructiveHint?: boolean | undefined }
}

/** Whether a first run may call it, although nobody has looked at what it does. */
export function isHarmlessTool({ name, annotations = {} }: McpTool): boolean {
  const { readOnlyHint, destructiveHint } = annotations
  if (readOnlyHint !== undefined) return readOnlyHint
  return destructiveHint !== true && isReadingTool(name)
}

/** Starts the servers, asks them for their tools, and stops them. */
export async function listMcpTools(
  { written, values }: McpFileServers,
  folder: Folder,
  signal: AbortSignal,
): Promise<McpTool[]> {
  const env = { ...folder.env, ...values }
  const network = createNetwork({ connections: 1, proxies: readProxies({}, env), env })
  const place = { env, network, cwd: folder.path }
  try {
    // Before any of them is started, so that a mistake in one leaves none running.
    const settings = Object.entries(written).map(([id, server]) => ({
      id,
      own: toSettings(id, server, place),
    }))
    const settled = await Promise.allSettled(settings.map(({ id, own }) => askServer(id, own, signal)))
    const failed = settled.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
    return settled.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  } finally {
    await network.close()
  }
}

async function askServer(id: string, settings: McpSettings, signal: AbortSignal): Promise<McpTool[]> {
  const connection = await connectMcp({ id, settings, signal, onClose: () => {} })
  try {
    const hints = await readAnnotations(connection, signal)
    return connection.tools.map(({ name, description, inputSchema }) => {
      const annotations = hints.get(name)
      return {
        server: id,
        name,
        fullName: toolName(id, name),
        inputSchema,
        ...(description === undefined ? {} : { description }),
        ...(annotations === undefined ? {} : { annotations }),
      }
    })
  } finally {
    await connection.close().catch(() => {})
  }
}

/** A connection keeps only what a run needs of its tools, so the server is asked for the rest. */
async function readAnnotations(
  { reader, tools }: McpConnection,
  signal: AbortSignal,
): Promise<Map<string, NonNullable<McpTool['annotations']>>> {
  if (tools.length === 0) return new Map()
  const call = { subject: 'the list of tools', activity: 'listing the tools', harmless: true }
  const outcome = await reader.ask(call, signal, (client, options) => client.listTools(undefined, options))
  if ('error' in outcome) throw new Error(outcome.error)
  return new Map(
    outcome.answer.tools.flatMap(({ name, annotations }) =>
      isRecord(annotations) ? [[name, annotations]] : [],
    ),
  )
}

interface ServerPlace {
  env: Environment
  network: Network
  cwd: string
}

/** As a run reads it from the config. */
function toSettings(id: string, server: McpServerConfig, { env, network, cwd }: ServerPlace): McpSettings {
  const file = `MCP server ${id}`
  const expand = (text: string) => expandEnv(text, file, env)
  const expandAll = (texts: Record<string, string> = {}, toKey = (name: string) => name) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [toKey(name), expand(text)]))
  if ('command' in server) {
    const variables = { ...env, ...expandAll(server.env) }
    const command = expand(server.command)
    checkCommand(command, { cwd, label: file, file: '.mcp.json', env: variables })
    return { transport: 'stdio', command, args: (server.args ?? []).map(expand), env: variables, cwd }
  }
  const url = new URL(expand(server.url))
  return {
    transport: server.transport ?? 'http',
    url: withoutCredentials(url),
    headers: { ...buildBasicAuth(url), ...expandAll(server.headers, (name) => name.toLowerCase()) },
    network,
  }
}
