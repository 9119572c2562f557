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
import type { FilledPrompt, Prompt, Resource, ResourceContent } from './extras.ts'
import type { McpCall } from './mcp-errors.ts'

/** Sends one request to a connected server. A failure that the server reports itself is an outcome, not an exception. */
export type McpAsk = <T>(
  call: Omit<McpCall, 'timeoutMs'>,
  signal: AbortSignal,
  perform: (client: Client, options: RequestOptions) => Promise<T>,
) => Promise<McpAnswer<T>>

export type McpAnswer<T> = { answer: T } | { error: string }

/** Reads what a connected server offers besides its tools. Each method makes one attempt. */
export interface McpReading {
  resources(signal: AbortSignal): Promise<McpAnswer<Resource[]>>
  resource(uri: string, signal: AbortSignal): Promise<McpAnswer<{ contents: ResourceContent[] }>>
  prompts(signal: AbortSignal): Promise<McpAnswer<Prompt[]>>
  prompt(name: string, args: Data, signal: AbortSignal): Promise<McpAnswer<FilledPrompt>>
}

type OfferedCapabilities = ServerCapabilities | undefined

/** Bypasses the cache: what counts is what is there now, not what another case saw. */
const fresh = { cacheMode: 'bypass' as const }

const listCall = (what: string) => ({
  subject: `the list of ${what}`,
  activity: `listing its ${what}`,
  harmless: true,
})
const readCall = (what: string) => ({ subject: what, activity: `reading ${what}`, harmless: true })

/** The client follows lists to their last page; a server that offers none has an empty list. */
export function createReading(id: string, offered: OfferedCapabilities, ask: McpAsk): McpReading {
  return {
    async resources(signal) {
      if (!offers(offered, 'resources')) return { answer: [] }
      return ask(listCall('resources'), signal, async (client, options) => {
        const { resources } = await client.listResources(undefined, { ...options, ...fresh })
        return resources.map(({ uri, name, description, mimeType }) =>
          defined({ uri, name, description, mimeType }),
        )
      })
    },
    async resource(uri, signal) {
      refuseMissing(id, offered, 'resources')
      return ask(readCall(`resource ${uri}`), signal, async (client, options) => {
        const { contents } = await client.readResource({ uri }, { ...options, ...fresh })
        return { contents: contents.map(toResourceContent) }
      })
    },
    async prompts(signal) {
      if (!offers(offered, 'prompts')) return { answer: [] }
      return ask(listCall('prompts'), signal, async (client, options) => {
        const { prompts } = await client.listPrompts(undefined, { ...options, ...fresh })
        return prompts.map(({ name, description, arguments: args }) =>
          defined({ name, description, arguments: args?.map((each) => defined(each)) }),
        )
      })
    },
    async prompt(name, args, signal) {
      refuseMissing(id, offered, 'prompts')
      return ask(readCall(`prompt ${name}`), signal, async (client, options) => {
        const { description, messages } = await client.getPrompt(
          { name, arguments: toTextArguments(args) },
          options,
        )
        return defined({ description, messages })
      })
    },
  }
}

/** Leaves out what is specific to the protocol. */
function toResourceContent(content: ReadResourceResult['contents'][number]): ResourceContent {
  const { uri, mimeType } = content
  const data = 'text' in content ? { text: content.text } : { blob: content.blob }
  return { uri, ...(mimeType !== undefined && { mimeType }), ...data }
}

/** Must be checked first: otherwise the client answers for the server, and prints that it does. */
export function offers(offered: OfferedCapabilities, what: 'tools' | 'resources' | 'prompts'): boolean {
  return offered?.[what] !== undefined
}

function refuseMissing(id: string, offered: OfferedCapabilities, what: 'resources' | 'prompts'): void {
  if (offers(offered, what)) return
  const code = what === 'resources' ? 'unknown_resource' : 'unknown_prompt'
  throw new ConfigError({ code, message: `MCP server ${id} offers no ${what}` })
}

/** The protocol allows only texts as prompt arguments. */
function toTextArguments(args: Data): Record<string, string> {
  const given = Object.entries(args).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given.map(([name, value]) => [name, textOrJson(value)]))
}
