import { defined } from '../defined.ts'
import type { Message, ToolCall } from '../transcript/message.ts'
import type { Input } from '../transcript/turn.ts'
import type { AuthoredMessage } from './case-schema.ts'

/** A user message as it was authored: text, a message (its content is the value), or any other value. */
export function toInput(value: unknown): Input {
  if (isMessage(value)) return { value: value.content, message: toMessage(value) }
  return {
    value,
    message: { role: 'user', content: typeof value === 'string' ? value : JSON.stringify(value) },
  }
}

/** A list of messages: what stands before turn 1, and the last one as turn 1 where the user has the last word. */
export function splitMessages(messages: readonly AuthoredMessage[]): { history: Message[]; opening?: Input } {
  const last = messages.at(-1)
  if (last?.role !== 'user') return { history: messages.map(toMessage) }
  return { history: messages.slice(0, -1).map(toMessage), opening: toInput(last) }
}

export function isMessage(value: unknown): value is AuthoredMessage {
  return typeof value === 'object' && value !== null && 'role' in value && 'content' in value
}

export function isMessageList(value: unknown): value is AuthoredMessage[] {
  return Array.isArray(value)
}

function toMessage(authored: AuthoredMessage): Message {
  return {
    role: authored.role,
    content: authored.content ?? '',
    ...defined({ name: authored.name }),
    ...(authored.tool_calls === undefined ? {} : { toolCalls: authored.tool_calls.map(toToolCall) }),
    ...defined({ toolCallId: authored.tool_call_id }),
  }
}

function toToolCall(call: NonNullable<AuthoredMessage['tool_calls']>[number]): ToolCall {
  return { id: call.id, name: call.function.name, arguments: parseArguments(call.function.arguments) }
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
