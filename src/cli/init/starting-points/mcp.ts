import { ConfigError, errorMessage } from '../../../errors.ts'
import { redactUrl } from '../../../models/network/address.ts'
import { secretValues } from '../../../privacy/secret-variables.ts'
import { splitCommand } from '../../../system/split-command.ts'
import { shellQuote } from '../../../text/shell-quote.ts'
import { allowTools } from '../allow-tools.ts'
import { callsTool, type FirstCase, introducesItself, remembers } from '../first-cases.ts'
import type { Folder } from '../folder.ts'
import { isHarmlessTool, listMcpTools, type McpTool } from '../list-tools.ts'
import { type McpFileServers, readMcpFile } from '../mcp-file.ts'
import {
  checkAddress,
  findModelEndpoints,
  type ModelEndpoint,
  modelQuestion,
  toConnector,
} from '../model-endpoints.ts'
import { sampleArguments } from '../sample-arguments.ts'
import type { AgentCandidate, AgentSetup, StartingPoint } from '../starting-point.ts'

/** MCP servers: of a `.mcp.json`, or the one that this package is. */
export const mcpServers: StartingPoint = {
  look(folder) {
    const listed = folder.has('.mcp.json')
      ? readMcpFile(folder.read('.mcp.json'), '.mcp.json', folder.env)
      : undefined
    const names = Object.keys(listed?.written ?? {})
    if (listed !== undefined && names.length > 0) {
      const found = `${names.length === 1 ? 'an MCP server' : 'MCP servers'} in .mcp.json: ${names.join(', ')}`
      return [createCandidate('.mcp.json', found, listed, folder)]
    }
    const own = ownServer(folder)
    return own === undefined
      ? []
      : [createCandidate('package.json', 'the MCP server of this package', own, folder)]
  },
}

/** Started by `bin`, or else by the `start` script. */
function ownServer({ manifest, has, files, read }: Folder): McpFileServers | undefined {
  const isServer =
    manifest?.dependencies.has('@modelcontextprotocol/server') === true ||
    (manifest?.dependencies.has('@modelcontextprotocol/sdk') === true &&
      files.some(
        (name) => /\.[cm]?[jt]s$/.test(name) && /@modelcontextprotocol\/sdk\/server\//.test(read(name)),
      ))
  if (!isServer || manifest === undefined) return undefined
  const { bin, scripts } = manifest
  if (bin !== undefined && (has(bin) || scripts.start === undefined)) {
    if (!has(bin)) {
      const message = `the MCP server of this package is ${bin}, which is not there`
      throw new ConfigError({ code: 'not_built', message, file: 'package.json', hint: 'build it first' })
    }
    return { written: { server: { command: 'node', args: [bin.replace(/^\.\//, '')] } }, values: {} }
  }
  if (scripts.start === undefined) return undefined
  const [command = '', ...args] = /^node [^&|;<>$]+$/.test(scripts.start)
    ? splitCommand(scripts.start)
    : ['npm', 'run', '--silent', 'start']
  return { written: { server: { command, args } }, values: {} }
}

function createCandidate(
  reference: string,
  found: string,
  servers: McpFileServers,
  folder: Folder,
): AgentCandidate {
  const [endpoint] = findModelEndpoints(folder.env)
  return {
    reference,
    found,
    starts: describeStart(servers),
    ...(endpoint === undefined
      ? {}
      : { question: (signal: AbortSignal) => modelQuestion(checkAddress(endpoint), folder.env, signal) }),
    async setUp(model, signal) {
      const tools = await listTools(servers, folder, signal)
      return endpoint === undefined
        ? withoutModel(servers, tools)
        : withModel(servers, tools, endpoint, model)
    },
  }
}

/** Without secrets: those are named. */
function describeStart({ written }: McpFileServers): string {
  const servers = Object.values(written)
  const commands = servers.flatMap((server) =>
    'command' in server ? [`\`${[server.command, ...(server.args ?? [])].map(shellQuote).join(' ')}\``] : [],
  )
  const urls = servers.flatMap((server) => ('url' in server ? [server.url] : []))
  return [
    ...(commands.length === 0 ? [] : [`start ${commands.join(', ')}`]),
    ...(urls.length === 0 ? [] : [`connect to ${urls.join(', ')}`]),
  ]
    .join(' and ')
    .concat(servers.length === 1 ? ' to list its tools' : ' to list their tools')
}

/** What they offer is asked of the servers themselves, started as in a run. */
async function listTools(servers: McpFileServers, folder: Folder, signal: AbortSignal): Promise<McpTool[]> {
  try {
    return await listMcpTools(servers, folder, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ConfigError) throw error
    // The message has the command with all its arguments, and what the server wrote.
    const secrets = [...Object.values(servers.values), ...secretValues(folder.env)]
    const message = secrets
      .filter((secret) => secret !== '')
      .sort((a, b) => b.length - a.length)
      .reduce((text, secret) => text.replaceAll(secret, '…'), errorMessage(error))
    throw new ConfigError({ code: 'no_tools', message, hint: 'nothing was written' })
  }
}

/** The safest one first: it is called without anybody having looked at what it does. */
function chooseTool(tools: readonly McpTool[]): McpTool {
  const tool = tools.find(isHarmlessTool) ?? tools[0]
  if (tool !== undefined) return tool
  throw new ConfigError({
    code: 'no_tools',
    message: 'the MCP server has no tools, so there is nothing to test',
  })
}

const prompt = 'Use your tools to answer. If none of them helps, say so.'

function withModel(
  servers: McpFileServers,
  tools: readonly McpTool[],
  endpoint: ModelEndpoint,
  model: string,
): AgentSetup {
  const tool = chooseTool(tools)
  const harmless = tools.filter(isHarmlessTool)
  const { mcp, notes, values } = allowTools(servers, tools, harmless)
  const last = harmless.length > 0 ? [callsTool(tool.name, tool.description)] : []
  return {
    config: {
      agent: 'assistant',
      connectors: { main: toConnector(endpoint, model) },
      agents: {
        assistant: { connector: 'main', prompt, ...(Object.keys(mcp).length === 0 ? {} : { mcp }) },
      },
    },
    target: `${model} at ${redactUrl(new URL(endpoint.url))}, with ${describeTools(harmless)}`,
    cases: [introducesItself(), remembers(), ...last],
    notes: [...(servers.notes ?? []), ...notes, ...describeValues(values)],
    variables: [...(endpoint.key === undefined ? [] : [endpoint.key]), ...Object.keys(values)],
    environment: values,
    ...(harmless.length > 0
      ? {}
      : { notRun: 'no tool is known to only read, so the model has none until you allow one' }),
  }
}

/** Without a model, a script calls the tool and repeats what it returns: the server is tested, nothing else. */
function withoutModel(servers: McpFileServers, tools: readonly McpTool[]): AgentSetup {
  const tool = chooseTool(tools)
  const harmless = tools.filter(isHarmlessTool)
  const { mcp, notes, values } = allowTools(servers, tools, harmless.length > 0 ? harmless : [tool])
  const { value, isMadeUp } = sampleArguments(tool.inputSchema)
  const rules = [
    { when: { result: '(?s)(.*)' }, reply: '{{1}}' },
    { tool_calls: [{ name: tool.fullName, arguments: value }] },
  ]
  const harm = `${tool.name} may change something, so it is not called now`
  return {
    config: {
      agent: 'assistant',
      connectors: { main: { type: 'scripted', options: { rules } } },
      agents: { assistant: { connector: 'main', prompt, mcp } },
    },
    target: `${tool.name}, called by a script in place of a model`,
    cases: scriptedCases(tool, isMadeUp),
    notes: [
      'NO MODEL IS USED: no key was found, so a script calls the tool and repeats its result.',
      "To use a model, set OPENAI_API_KEY and change connectors.main to { type: 'openai', options: { model: '…', key: '$ENV.OPENAI_API_KEY' } }.",
      ...(isMadeUp ? [`The arguments of ${tool.name} are made up: put real ones into connectors.main.`] : []),
      ...(servers.notes ?? []),
      ...notes,
      ...describeValues(values),
    ],
    variables: Object.keys(values),
    environment: values,
    ...(harmless.length > 0 ? {} : { notRun: harm }),
  }
}

function scriptedCases({ name }: McpTool, isMadeUp: boolean): FirstCase[] {
  const input = `Please call ${name}.`
  // A tool may refuse arguments that are made up, and be right.
  const noError = { type: 'regex', pattern: '(?i)^\\W*error', negate: true, message: 'The tool failed' }
  const called = { type: 'tool_called', name }
  const answers = [{ type: 'length', min: 2 }, ...(isMadeUp ? [] : [noError])]
  const allowed = isMadeUp ? { audit_allows: ['tools-fail'] } : {}
  return [
    {
      comment: isMadeUp ? 'The tool answers, with data or with an error.' : 'The tool answers with data.',
      case: {
        id: 'tool-answers',
        input,
        assert: [called, ...answers],
        ...allowed,
      },
    },
    {
      comment: 'The server is still there for a second call.',
      case: {
        id: 'tool-answers-twice',
        turns: [{ input }, { input, assert: answers }],
        final_assertions: [{ type: 'tool_order', mode: 'strict', value: [{ name }, { name }] }],
        on_missing_input: 'end',
        ...allowed,
      },
    },
    {
      comment: 'The tool is fast enough for a conversation.',
      case: {
        id: 'tool-is-fast',
        input,
        assert: [called, ...answers, { type: 'latency', max: '5s' }],
        ...allowed,
      },
    },
  ]
}

function describeTools(tools: readonly McpTool[]): string {
  if (tools.length === 0) return 'no tools'
  return tools.length === 1 ? `the tool ${tools[0]?.name}` : `${tools.length} tools`
}

function describeValues(values: Record<string, string>): string[] {
  const names = Object.keys(values)
  return names.length === 0
    ? []
    : [
        `What looks like a secret in .mcp.json is not copied: set ${names.join(', ')} in the environment or in .env.`,
      ]
}
