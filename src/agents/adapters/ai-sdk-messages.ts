import { isRecord } from '../../json/json.ts'
import { type Media, toMedia } from '../../models/media.ts'
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

/** The result of a tool that the user's side runs or must approve: only the user's next message is known. */
const noResultText = 'There is no result: the conversation went on.'

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
  if (media !== undefined) return filePart(media)
  const isData = isRecord(part) && part.type === 'data'
  return { type: 'text', text: isData ? JSON.stringify(part.data) : messageText([part]) }
}

/** The exact media type of a URL is unknown. */
const unknownTypes = { image: 'image/*', audio: 'audio/*', file: 'application/octet-stream' }

function filePart({ kind, name, data, url }: Media): Data {
  return {
    type: 'file',
    mediaType: data?.mediaType ?? unknownTypes[kind],
    data: data?.base64 ?? url,
    ...(name === undefined ? {} : { filename: name }),
  }
}
