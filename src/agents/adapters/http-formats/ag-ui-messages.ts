import { asData, asList, asText } from '../../../models/json.ts'
import { guessMediaType, type Media, partAsText, toMedia } from '../../../models/media.ts'
import { addToolResult, withToolResults } from '../../../models/message-reply.ts'
import { contentText } from '../../../models/openai-completion.ts'
import { toOpenAIToolCall } from '../../../models/openai-messages.ts'
import { type Data, type Message, messageText, type ToolCall } from '../../../results/transcript/message.ts'
import { parseArguments } from '../../../results/transcript/parse-arguments.ts'

/** Messages as AG-UI writes them, each with an id. */
export function toAGUIMessages(messages: readonly Message[], createId: () => string): Data[] {
  return withToolResults(messages).map(({ role, content, name, toolCalls = [], toolCallId }) => {
    const id = createId()
    if (role === 'tool') return { id, role, toolCallId, content: messageText(content) }
    const shown = role === 'user' ? toContent(content) : messageText(content)
    const named = name === undefined ? {} : { name }
    const calls = toolCalls.length === 0 ? {} : { toolCalls: toolCalls.map(toOpenAIToolCall) }
    return { id, role, content: shown, ...named, ...calls }
  })
}

function toContent(content: unknown): unknown {
  if (!Array.isArray(content)) return messageText(content)
  return content.map((part: unknown) => {
    const media = toMedia(part)
    return media === undefined ? { type: 'text', text: partAsText(part) } : mediaPart(media)
  })
}

function mediaPart(media: Media): Data {
  const { kind, data, url } = media
  const source =
    data === undefined
      ? { type: 'url', value: url }
      : { type: 'data', value: data.base64, mimeType: guessMediaType(media) }
  return { type: kind === 'file' ? 'document' : kind, source }
}

/** What the messages of an AG-UI run add to the conversation. */
export function fromAGUIMessages(given: readonly Data[], earlier: ReadonlyMap<string, ToolCall>): Message[] {
  const messages: Message[] = []
  const known = new Map(earlier)
  for (const { role, content, toolCalls, toolCallId, error } of given) {
    if (role === 'tool') {
      const id = asText(toolCallId) ?? ''
      const result = { content: contentText(content), error: asText(error) }
      addToolResult(messages, { id, call: known.get(id) }, result)
    } else if (role === 'assistant') {
      const calls = asList(toolCalls).map((call) => parseCall(asData(call) ?? {}))
      for (const call of calls) known.set(call.id, call)
      messages.push({
        role,
        content: contentText(content),
        ...(calls.length > 0 ? { toolCalls: calls } : {}),
      })
    }
  }
  return messages
}

function parseCall({ id, function: called }: Data): ToolCall {
  const { name, arguments: given } = asData(called) ?? {}
  const text = asText(given)
  return {
    id: asText(id) ?? '',
    name: asText(name) ?? 'unknown',
    arguments: text === undefined ? (given ?? {}) : parseArguments(text),
  }
}
