import type { Data, Message, ToolCall } from '../results/transcript/message.ts'
import { toOpenAIContent } from './openai-content.ts'

/** Converts a message to the form of OpenAI's chat API. */
export function toOpenAIMessage(message: Message): Data {
  const { role, name, toolCalls, toolCallId } = message
  const content = toOpenAIContent(message.content)
  if (role === 'tool') return { role, tool_call_id: toolCallId, content }
  const named = name === undefined ? {} : { name }
  if (role !== 'assistant' || toolCalls === undefined || toolCalls.length === 0)
    return { role, ...named, content }
  // A call without text has null content: some servers refuse an empty text.
  return {
    role,
    ...named,
    content: content === '' ? null : content,
    tool_calls: toolCalls.map(toOpenAIToolCall),
  }
}

export function toOpenAIToolCall(call: ToolCall): Data {
  // Arguments that are still text were not JSON: they are sent back unchanged.
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
  return { id: call.id, type: 'function', function: { name: call.name, arguments: text } }
}
