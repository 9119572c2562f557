import type {
  Client,
  ReadResourceResult,
  RequestOptions,
  ServerCapabilities,
} from '@modelcontextprotocol/client'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { textOrJson } from '../json/json.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Scope } from '../scope/scope.ts'
import type { ResourceContent, ServerExtras } from './extras.ts'
import type { McpCall } from './mcp-errors.ts'
import { ToolError } from './tool.ts'

/** Sends one request to a connected server. A failure that the server reports itself is an outcome, not an exception. */
export type McpAsk = <T>(
  call: Omit<McpCall, 'timeoutMs'>,
  signal: AbortSignal,
  perform: Perform<T>,
) => Promise<McpAnswer<T>>

type Perform<T> = (client: Client, options: RequestOptions) => Promise<T>

export type McpAnswer<T> = { answer: T } | { error: string }

/** A connected server, as far as reading from it is concerned. */
export interface McpReader {
  ask: McpAsk
  offered: ServerCapabilities | undefined
}

/** Bypasses the cache: what counts is what is there now, not what another case saw. */
const fresh = { cacheMode: 'bypass' as const }

/** Offers scripts what an MCP server has besides its tools. `connection` starts the server if needed. */
export function createMcpExtras(id: string, connection: (scope: Scope) => Promise<McpReader>): ServerExtras {
  const { readList, readItem } = createReads(id, connection)
  return {
    resources: (scope) =>
      readList('resources', scope, async (client, options) => {
        const { resources } = await client.listResources(undefined, { ...options, ...fresh })
        return resources.map(({ uri, name, description, mimeType }) =>
          defined({ uri, name, description, mimeType }),
        )
      }),
    readResource: (uri, scope) =>
      readItem('resource', uri, null, scope, async (client, options) => {
        const { contents } = await client.readResource({ uri }, { ...options, ...fresh })
        return { contents: contents.map(toResourceContent) }
      }),
    prompts: (scope) =>
      readList('prompts', scope, async (client, options) => {
        const { prompts } = await client.listPrompts(undefined, { ...options, ...fresh })
        return prompts.map(({ name, description, arguments: args }) =>
          defined({ name, description, arguments: args?.map((each) => defined(each)) }),
        )
      }),
    prompt: (name, args, scope) =>
      readItem('prompt', name, args, scope, async (client, options) => {
        const request = { name, arguments: toTextArguments(args) }
        const { description, messages } = await client.getPrompt(request, options)
        return defined({ description, messages })
      }),
    // The protocol has no samples.
    samples: () => [],
  }
}

/** Reads lists, and single things by their name. */
function createReads(id: string, connection: (scope: Scope) => Promise<McpReader>) {
  async function read<T>(
    what: string,
    request: unknown,
    scope: Scope,
    ask: (reader: McpReader, signal: AbortSignal) => Promise<McpAnswer<T>>,
  ): Promise<T> {
    const toolScope = scope.child('tool')
    const outcome = await toolScope.exchange({
      target: `${id} ${what}`,
      request,
      continues: mcpSide(id),
      onlyReads: true,
      perform: async ({ signal }) => ask(await connection(toolScope), signal),
    })
    if ('error' in outcome) throw new ToolError(`${what} of MCP server ${id}: ${outcome.error}`)
    return outcome.answer
  }
  /** The client follows lists to their last page; a server that offers none has an empty list. */
  const readList = <T>(what: 'resources' | 'prompts', scope: Scope, perform: Perform<T[]>) =>
    read(what, null, scope, async ({ ask, offered }, signal): Promise<McpAnswer<T[]>> => {
      if (!offers(offered, what)) return { answer: [] }
      const call = { subject: `the list of ${what}`, activity: `listing its ${what}`, harmless: true }
      return ask(call, signal, perform)
    })
  const readItem = <T>(
    kind: 'resource' | 'prompt',
    name: string,
    request: Data | null,
    scope: Scope,
    perform: Perform<T>,
  ) =>
    read(`${kind} ${name}`, request, scope, async ({ ask, offered }, signal) => {
      if (!offers(offered, `${kind}s`))
        throw new ConfigError({ code: `unknown_${kind}`, message: `MCP server ${id} offers no ${kind}s` })
      const call = { subject: `${kind} ${name}`, activity: `reading ${kind} ${name}`, harmless: true }
      return ask(call, signal, perform)
    })
  return { readList, readItem }
}

/** The name of a server where it is the one that remembers earlier calls. */
export function mcpSide(id: string): string {
  return `MCP server ${id}`
}

/** Leaves out what is specific to the protocol. */
function toResourceContent(content: ReadResourceResult['contents'][number]): ResourceContent {
  const { uri, mimeType } = content
  const data = 'text' in content ? { text: content.text } : { blob: content.blob }
  return { uri, ...(mimeType !== undefined && { mimeType }), ...data }
}

/** Must be checked first: otherwise the client answers for the server, and prints that it does. */
export function offers(
  offered: ServerCapabilities | undefined,
  what: 'tools' | 'resources' | 'prompts',
): boolean {
  return offered?.[what] !== undefined
}

/** The protocol allows only texts as prompt arguments. */
function toTextArguments(args: Data): Record<string, string> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, textOrJson(value)]))
}
