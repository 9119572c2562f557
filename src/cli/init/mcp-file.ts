import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import { looksSecret } from '../../privacy/secret-variables.ts'
import type { McpServerConfig } from '../../project/model-agent-schema.ts'

/** The servers of a `.mcp.json`, for the config and for starting them now. */
export interface McpFileServers {
  /** Without keys: those are named. */
  written: Record<string, McpServerConfig>
  /** Values of variables that only the file has: they start the servers now, and are written nowhere. */
  values: Record<string, string>
}

export function readMcpFile(text: string, file: string): McpFileServers {
  const data = parseJsonc(text, file)
  const servers = isRecord(data) && isRecord(data.mcpServers) ? data.mcpServers : {}
  const found: McpFileServers = { written: {}, values: {} }
  for (const [name, server] of Object.entries(servers)) {
    const id = name.replace(/[^\w-]+/g, '-')
    if (isRecord(server)) found.written[id] = readServer(id, server, file, found.values)
  }
  return found
}

function readServer(
  id: string,
  server: Record<string, unknown>,
  file: string,
  values: Record<string, string>,
): McpServerConfig {
  if (typeof server.command === 'string') {
    const args = Array.isArray(server.args) ? server.args.map(String) : []
    const env = nameSecrets(server.env, (name) => name, values)
    return {
      command: toEnvReferences(server.command),
      ...(args.length === 0
        ? {}
        : { args: args.map((arg, index) => readArgument(arg, args[index - 1], id, values)) }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
    }
  }
  if (typeof server.url === 'string' && /^https?:/.test(server.url)) {
    const headers = nameSecrets(server.headers, (name) => variableName(`${id}_${name}`), values, true)
    return {
      url: server.url,
      ...(server.type === 'sse' ? { transport: 'sse' as const } : {}),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    }
  }
  throw new ConfigError({
    code: 'bad_mcp_server',
    message: `MCP server ${id} has neither a command nor a url`,
    file,
  })
}

/** `${NAME}` and `${NAME:-default}`, as other programs write it. */
function toEnvReferences(text: string): string {
  return text.replace(/\$\{(?:env:)?([A-Za-z_]\w*)(?::-[^}]*)?\}/g, (_, name: string) => `$ENV.${name}`)
}

function nameSecrets(
  variables: unknown,
  named: (name: string) => string,
  values: Record<string, string>,
  areAllSecret = false,
): Record<string, string> {
  const entries = Object.entries(isRecord(variables) ? variables : {}).map(([name, value]) => {
    const text = toEnvReferences(String(value))
    if (text.includes('$ENV.') || !(areAllSecret || looksSecret(name, text))) return [name, text]
    values[named(name)] = text
    return [name, `$ENV.${named(name)}`]
  })
  return Object.fromEntries(entries)
}

const secretFlag = /^--?(?:[\w-]*-)?(?:key|token|secret|password|apikey)$/i

/** `--api-key=…`, or the word after `--api-key`. */
function readArgument(
  arg: string,
  before: string | undefined,
  id: string,
  values: Record<string, string>,
): string {
  const text = toEnvReferences(arg)
  if (text.includes('$ENV.')) return text
  const [flag = '', ...rest] = text.split('=')
  const value = rest.join('=')
  if (secretFlag.test(flag) && value !== '') {
    const name = variableName(`${id}_${flag}`)
    values[name] = value
    return `${flag}=$ENV.${name}`
  }
  if (before === undefined || !secretFlag.test(before) || text.startsWith('-')) return text
  const name = variableName(`${id}_${before}`)
  values[name] = text
  return `$ENV.${name}`
}

function variableName(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()
}
