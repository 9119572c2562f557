import { isRecord } from '../json/json.ts'
import { type Data, type Message, messageText, type ToolCall } from '../results/transcript/message.ts'
import { type Media, toMedia } from './media.ts'

/** The API wants users and assistants in turn: consecutive messages of one side, and tool results, are merged. */
export function toAnthropicMessages(messages: readonly Message[]): Data[] {
  const turns: { role: string; content: Data[] }[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = message.role === 'system' ? [] : messageBlocks(message)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else if (blocks.length > 0) turns.push({ role, content: blocks })
  }
  return turns.map(({ role, content }) => ({ role, content: singleText(content) ?? content }))
}

/** A model that thinks needs its signed thoughts back together with tool results. They are in no transcript. */
const thoughts = new WeakMap<Message, Data[]>()

export function keepThoughts(message: Message, blocks: Data[]): void {
  thoughts.set(message, blocks)
}

function messageBlocks(message: Message): Data[] {
  const { role, content, toolCalls = [], toolCallId } = message
  if (role === 'tool') {
    return [{ type: 'tool_result', tool_use_id: toolCallId, content: contentBlocks(content) }]
  }
  return [...(thoughts.get(message) ?? []), ...contentBlocks(content), ...toolCalls.map(toToolUseBlock)]
}

/** The API refuses empty texts. */
function contentBlocks(content: unknown): Data[] {
  if (Array.isArray(content)) return content.map(toContentBlock)
  const text = messageText(content)
  return text === '' ? [] : [{ type: 'text', text }]
}

function toContentBlock(part: unknown): Data {
  if (!isRecord(part)) return { type: 'text', text: messageText(part) }
  const media = toMedia(part)
  if (media !== undefined) return mediaBlock(media)
  return part.type === 'data' ? { type: 'text', text: JSON.stringify(part.data) } : part
}

function mediaBlock({ kind, data, url }: Media): Data {
  const source = data
    ? { type: 'base64', media_type: data.mediaType, data: data.base64 }
    : { type: 'url', url }
  return { type: kind === 'image' ? 'image' : 'document', source }
}

function toToolUseBlock({ id, name, arguments: given }: ToolCall): Data {
  // The API accepts objects only, and arguments that were not JSON must be sent back somehow.
  const input = isRecord(given) ? given : { arguments: given }
  return { type: 'tool_use', id, name, input: given === undefined ? {} : input }
}

function singleText(blocks: readonly Data[]): unknown {
  const [first] = blocks
  return blocks.length === 1 && first?.type === 'text' ? first.text : undefined
}
