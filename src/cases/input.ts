import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { defined } from '../json/defined.ts'
import { textOrJson } from '../json/json.ts'
import { attach } from '../results/transcript/attachment.ts'
import type { Message, ToolCall } from '../results/transcript/message.ts'
import { parseArguments } from '../results/transcript/parse-arguments.ts'
import type { Input } from '../results/transcript/turn.ts'
import type { FindFile } from './attached-file.ts'
import type { AuthoredAttachment, AuthoredMessage, AuthoredPart } from './case-schema.ts'

/**
 * Turns an authored user message into an input: text, a message (its content is the value), or any other value.
 * Attachments become parts after the text; then the parts are the value.
 */
export function toInput(
  value: unknown,
  findFile: FindFile,
  attachments: readonly AuthoredAttachment[] = [],
): Input {
  const written = isMessage(value) ? value.content : value
  const text = textOrJson(value)
  const message: Message = isMessage(value)
    ? toMessage(value, findFile, attachments)
    : { role: 'user', content: withAttachments(text, attachments, findFile) }
  return { value: Array.isArray(message.content) ? message.content : written, message }
}

/** Splits a list of messages into history and turn 1, which is the last message if it is from the user. */
export function splitMessages(
  messages: readonly AuthoredMessage[],
  findFile: FindFile,
  attachments: readonly AuthoredAttachment[],
): { history: Message[]; opening?: Input } {
  const last = messages.at(-1)
  const before = (last?.role === 'user' ? messages.slice(0, -1) : messages).map((item) =>
    toMessage(item, findFile),
  )
  return last?.role === 'user'
    ? { history: before, opening: toInput(last, findFile, attachments) }
    : { history: before }
}

export function isMessage(value: unknown): value is AuthoredMessage {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value
}

export function isMessageList(value: unknown): value is AuthoredMessage[] {
  return Array.isArray(value)
}

function toMessage(
  authored: AuthoredMessage,
  findFile: FindFile,
  attachments: readonly AuthoredAttachment[] = [],
): Message {
  const { role, content, name, tool_calls, tool_call_id } = authored
  const own = Array.isArray(content) ? content.map((part) => toPart(part, findFile)) : (content ?? '')
  return {
    role,
    content: withAttachments(own, attachments, findFile),
    ...defined({ name, toolCalls: tool_calls?.map(toToolCall), toolCallId: tool_call_id }),
  }
}

function withAttachments(
  content: string | object[],
  attachments: readonly AuthoredAttachment[],
  findFile: FindFile,
): string | object[] {
  if (attachments.length === 0) return content
  const own = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return [...own, ...attachments.map((part) => toPart(part, findFile))]
}

/** Files are referenced by their real path; their bytes are read when the message is sent. */
function toPart(part: AuthoredPart | AuthoredAttachment, findFile: FindFile): object {
  const source = partSource(part)
  if (!source?.startsWith('file:')) return part
  const file = findFile(source)
  const url = pathToFileURL(file.path).href
  const found = {
    media_type: file.mediaType,
    name: ('name' in part ? part.name : undefined) ?? basename(file.path),
  }
  if (part.type !== 'image_url') return attach({ ...part, source: url, ...found }, file)
  const { detail } = typeof part.image_url === 'string' ? {} : part.image_url
  return attach({ type: 'image_url', image_url: { url, ...defined({ detail }) }, ...found }, file)
}

/** Where the file or the image of a part is; undefined for parts that are all there is. */
export function partSource(part: AuthoredPart | AuthoredAttachment): string | undefined {
  if ('source' in part) return part.source
  if (part.type !== 'image_url') return undefined
  return typeof part.image_url === 'string' ? part.image_url : part.image_url.url
}

function toToolCall(call: NonNullable<AuthoredMessage['tool_calls']>[number]): ToolCall {
  return { id: call.id, name: call.function.name, arguments: parseArguments(call.function.arguments) }
}
