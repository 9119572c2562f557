import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import { expandEnv } from '../../project/app/env.ts'
import type { McpServerConfig } from '../../project/model-agent-schema.ts'
import type { Environment } from '../../system/environment.ts'
import { isSecretName, nameSecrets, type SecretNaming } from './name-secrets.ts'

/** The servers of a `.mcp.json`, for the config and for starting them now. */
export interface McpFileServers {
  /** Without keys: those are named. */
  written: Record<string, McpServerConfig>
  /** Values of variables that only the file has: they start the servers now, and are written nowhere. */
  values: Record<string, string>
  /** Why servers of the file are left out. */
  notes?: readonly string[]
}

/** Throws `ConfigError` if the file has servers, but none that viva can use. */
export function readMcpFile(text: string, file: string, env: Environment): McpFileServers {
  const data = parseJsonc(text, file)
  const servers = isRecord(data) && isRecord(data.mcpServers) ? data.mcpServers : {}
  const written: Record<string, McpServerConfig> = {}
  const values: Record<string, string> = {}
  const problems: string[] = []
  const referred = listReferred(text)
  for (const [name, server] of Object.entries(servers)) {
    const id = freeId(name.replace(/[^\w-]+/g, '-'), written)
    const read = isRecord(server) ? readServer(server, { server: id, env, referred, values }) : undefined
    if (read !== undefined) written[id] = read
    else problems.push(`MCP server ${id} has neither a command nor an http(s) url`)
  }
  if (problems.length > 0 && Object.keys(written).length === 0)
    throw new ConfigError(problems.map((message) => ({ code: 'bad_mcp_server', message, file })))
  return { written, values, notes: problems.map((problem) => `${problem}: it is left out.`) }
}

function freeId(id: string, taken: Record<string, unknown>): string {
  let free = id
  for (let number = 2; Object.hasOwn(taken, free); number++) free = `${id}-${number}`
  return free
}

/** Undefined for a kind of server that viva does not know. */
function readServer(server: Record<string, unknown>, naming: SecretNaming): McpServerConfig | undefined {
  const { env } = naming
  const translate = (value: unknown) => toEnvReferences(String(value), env)
  const read = (values: unknown, toText: (name: string, text: string) => string) =>
    Object.fromEntries(
      Object.entries(isRecord(values) ? values : {}).map(([name, value]) => [
        name,
        toText(name, translate(value)),
      ]),
    )
  if (typeof server.command === 'string' && server.command !== '') {
    const args = Array.isArray(server.args) ? server.args.map(translate) : []
    const variables = read(server.env, (name, text) => nameSecrets({ text, name, isVariable: true }, naming))
    return {
      command: translate(server.command),
      ...(args.length === 0
        ? {}
        : { args: args.map((arg, index) => readArgument(arg, args[index - 1], naming)) }),
      ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
    }
  }
  if (typeof server.url !== 'string') return undefined
  const url = readAddress(translate(server.url), env)
  if (url === undefined) return undefined
  // Most headers of a server are there to say who calls.
  const headers = read(server.headers, (name, text) => nameSecrets({ text, name, isSecret: true }, naming))
  return {
    url: nameSecrets({ text: url, name: 'url' }, naming),
    ...(server.type === 'sse' ? { transport: 'sse' as const } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  }
}

/** The config must have the beginning of an address in clear, so a variable there is filled in. */
function readAddress(text: string, env: Environment): string | undefined {
  const filled = text.replace(/^\$ENV\.[A-Za-z_]\w*/, (name) => expandEnv(name, 'url in .mcp.json', env))
  return /^https?:\/\//.test(filled) && URL.canParse(filled) ? filled : undefined
}

const environmentReference = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/** `${NAME}` and `${NAME:-default}`, as other programs write it. A default is taken if the variable is not set. */
function toEnvReferences(text: string, env: Environment): string {
  return text.replace(environmentReference, (_, name: string, standard: string | undefined) =>
    standard === undefined || env[name] ? `$ENV.${name}` : standard,
  )
}

/** The variables that the file expects of the environment. */
function listReferred(text: string): Set<string> {
  const found = [...text.matchAll(environmentReference)].filter(([, , standard]) => standard === undefined)
  return new Set(found.map(([, name = '']) => name))
}

/** `--api-key=…`, `NAME=…`, `Name: …`, the word after `--api-key`, or any text that looks like a secret. */
function readArgument(text: string, before: string | undefined, naming: SecretNaming): string {
  const [, start = '', name = '', value = ''] = /^(-{0,2}([A-Za-z][\w.-]*)(?:=|:\s+))(.+)$/s.exec(text) ?? []
  if (name !== '') return start + nameSecrets({ text: value, name }, naming)
  const isUser = before !== undefined && /^(?:-u|--user)$/.test(before) && text.includes(':')
  const flag = /^--?([A-Za-z][\w-]*)$/.exec(before ?? '')?.[1]
  const isValue = flag !== undefined && !text.startsWith('-')
  const isSecret = isUser || (isValue && isSecretName(flag, text))
  return nameSecrets({ text, name: isValue ? flag : 'argument', isSecret }, naming)
}
