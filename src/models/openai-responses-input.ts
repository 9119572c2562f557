import { isRecord, textOrJson } from '../json/json.ts'
import { type Data, type Message, messageText } from '../results/transcript/message.ts'
import { type Media, mediaUrl, partAsText, toMedia } from './media.ts'

/** Converts messages to the input items of OpenAI's Responses API. */
export function toResponsesInput(messages: readonly Message[]): Data[] {
  return messages.flatMap(messageItems)
}

/** Thoughts go back to the model that had them, together with tool results. They are in no transcript. */
const reasoning = new WeakMap<Message, Data[]>()

export function keepReasoning(message: Message, items: Data[]): void {
  reasoning.set(message, items)
}

function messageItems(message: Message): Data[] {
  const { role, content, toolCalls = [], toolCallId } = message
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: toolCallId, output: toInputContent(content) }]
  if (role === 'user') return [{ role, content: toInputContent(content) }]
  const text = messageText(content)
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    type: 'function_call',
    call_id: id,
    name,
    // Arguments that are still text were not JSON: they are sent back unchanged.
    arguments: textOrJson(given ?? {}),
  }))
  return [...(reasoning.get(message) ?? []), ...(text === '' ? [] : [{ role, content: text }]), ...calls]
}

function toInputContent(content: unknown): unknown {
  return Array.isArray(content) ? content.map(toInputPart) : messageText(content)
}

/** Parts that viva does not know may be those of the API. */
function toInputPart(part: unknown): unknown {
  const media = toMedia(part)
  if (media !== undefined) return mediaPart(media)
  const isOther = isRecord(part) && part.type !== 'text' && part.type !== 'data'
  return isOther ? part : { type: 'input_text', text: partAsText(part) }
}

function mediaPart(media: Media): Data {
  const url = mediaUrl(media)
  // Some servers refuse images without a `detail`.
  if (media.kind === 'image') return { type: 'input_image', image_url: url, detail: media.detail ?? 'auto' }
  if (media.data === undefined) return { type: 'input_file', file_url: url }
  return { type: 'input_file', filename: media.name ?? 'file', file_data: url }
}
