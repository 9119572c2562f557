export type Data = Record<string, unknown>

/** A call of a tool, by the agent or by a simulated user. */
export interface ToolCall {
  id: string
  name: string
  arguments: unknown
  result?: unknown
  error?: string
  stubbed?: boolean
}

/** A message of a conversation. */
export interface Message {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: unknown
  name?: string
  toolCalls?: ToolCall[]
  /** The call that a `tool` message answers. */
  toolCallId?: string
}

/** The text of a message whose content is a string or a list of parts; other content as compact JSON. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  if (Array.isArray(content)) return content.map(partText).join('')
  return JSON.stringify(content)
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part
  if (typeof part !== 'object' || part === null) return JSON.stringify(part)
  const { text, type } = part as { text?: unknown; type?: unknown }
  return typeof text === 'string' ? text : `[${typeof type === 'string' ? type : 'part'}]`
}
