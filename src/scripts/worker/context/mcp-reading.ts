import type { McpItem } from '../../protocol/ask.ts'
import type { BridgeEnd } from '../../protocol/asking.ts'

// Aliases, not interfaces: they are published as part of other types.
type Data = Record<string, unknown>

type Resources = {
  /** A `uri` may be a template with `{names}` in it. */
  resources: { uri: string; name: string; description?: string; mimeType?: string }[]
}

type Contents = {
  /** Each has either a text, or data in base64. */
  contents: { uri: string; mimeType?: string; text?: string; blob?: string }[]
}

type Prompts = {
  prompts: {
    name: string
    description?: string
    arguments?: { name: string; description?: string; required?: boolean }[]
  }[]
}

type Prompt = {
  description?: string
  messages: { role: string; content: Data & { type: string; text?: string } }[]
}

/** A line of a server's samples. */
type Sample = Data & {
  index: number
  /** The name of the tool or resource. */
  item_name: string
  name?: string
  description?: string
  input?: Data
  output?: unknown
  uri?: string
  data?: unknown
}

/** The rest of `ctx.mcp`: what servers have besides tools. Lists are whole: no cursor is needed, nor looked at. */
export function createMcpReading(bridge: BridgeEnd) {
  const read = (server: string, wanted: McpItem) => bridge.ask({ kind: 'read_mcp', server, wanted })
  return {
    ListResources: (server: string, _cursor?: string) => read(server, { what: 'resources' }) as Resources,
    ReadResource: (server: string, uri: string) => read(server, { what: 'resource', uri }) as Contents,
    ListPrompts: (server: string, _cursor?: string) => read(server, { what: 'prompts' }) as Prompts,
    GetPrompt: (server: string, name: string, args: Data = {}) =>
      read(server, { what: 'prompt', name, arguments: args }) as Prompt,
    ListSamples: (server: string, of: 'tool' | 'resource', name: string) =>
      read(server, { what: 'samples', of, name }) as { samples: Sample[]; total: number },
    GetSample: (server: string, of: 'tool' | 'resource', name: string, index: number) =>
      read(server, { what: 'sample', of, name, index }) as Sample,
  }
}
