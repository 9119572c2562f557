import { guessMediaType, type Media, partAsText, toMedia } from '../../models/media.ts'
import { noResultText } from '../../models/message-reply.ts'
import { type Data, type Message, messageText, type ToolCall } from '../../results/transcript/message.ts'

/**
 * The conversation as model messages of the AI SDK. Content is always a list of parts, which agents and models both accept.
 * Every tool call gets a result, because the SDK rejects a conversation without.
 */
export function aiSdkMessages(messages: readonly Message[]): Data[] {
  const converted: Data[] = []
  let open: ToolCall[] = []
  let results: Data[] = []
  const answerOpen = () => {
    results.push(...open.map((call) => toolResultPart(call, call.result ?? noResultText)))
    if (results.length > 0) converted.push({ role: 'tool', content: results })
    open = []
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      const call = open.find(({ id }) => id === message.toolCallId)
      open = open.filter((each) => each !== call)
      results.push(toolResultPart(call ?? unknownCall(message), message.content))
      continue
    }
    answerOpen()
    converted.push(toModelMessage(message))
    open = message.role === 'assistant' ? [...(message.toolCalls ?? [])] : []
  }
  answerOpen()
  return converted
}

function toModelMessage({ role, content, toolCalls = [] }: Message): Data {
  if (role === 'system') return { role, content: messageText(content) }
  const parts = contentParts(content)
  if (role === 'user') return { role, content: parts }
  const said = toolCalls.length === 0 ? parts : parts.filter(({ text }) => text !== '')
  return { role, content: [...said, ...toolCalls.map(callPart)] }
}

function callPart({ id, name, arguments: input }: ToolCall): Data {
  return { type: 'tool-call', toolCallId: id, toolName: name, input }
}

function unknownCall({ toolCallId = '', name = 'unknown' }: Message): ToolCall {
  return { id: toolCallId, name, arguments: {} }
}

function toolResultPart({ id, name, error }: ToolCall, content: unknown): Data {
  const output =
    error !== undefined
      ? { type: 'error-text', value: error }
      : typeof content === 'string'
        ? { type: 'text', value: content }
        : { type: 'json', value: content }
  return { type: 'tool-result', toolCallId: id, toolName: name, output }
}

function contentParts(content: unknown): Data[] {
  return Array.isArray(content) ? content.map(contentPart) : [{ type: 'text', text: messageText(content) }]
}

function contentPart(part: unknown): Data {
  const media = toMedia(part)
  return media === undefined ? { type: 'text', text: partAsText(part) } : filePart(media)
}

function filePart(media: Media): Data {
  const { name, data, url } = media
  return {
    type: 'file',
    mediaType: guessMediaType(media),
    data: data?.base64 ?? url,
    ...(name === undefined ? {} : { filename: name }),
  }
}
