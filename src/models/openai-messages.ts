import type { Data, Message, ToolCall } from '../results/transcript/message.ts'
import { openAIContent } from './openai-content.ts'

/** A message in the form of OpenAI's chat API. */
export function openAIMessage(message: Message): Data {
  const { role, name, toolCalls, toolCallId } = message
  const content = openAIContent(message.content)
  if (role === 'tool') return { role, tool_call_id: toolCallId, content }
  const named = name === undefined ? {} : { name }
  if (role !== 'assistant' || toolCalls === undefined || toolCalls.length === 0)
    return { role, ...named, content }
  // A call without words has null content: some servers refuse an empty text.
  return {
    role,
    ...named,
    content: content === '' ? null : content,
    tool_calls: toolCalls.map(openAIToolCall),
  }
}

export function openAIToolCall(call: ToolCall): Data {
  // Arguments that are a text are ones that were not JSON: they go back as they came.
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments ?? {})
  return { id: call.id, type: 'function', function: { name: call.name, arguments: text } }
}
