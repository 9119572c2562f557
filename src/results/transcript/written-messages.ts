import { isRecord } from '../../json/json.ts'
import { shorten } from '../../text/shorten.ts'
import type { Message, ToolCall } from './message.ts'
import { readArguments } from './parse-arguments.ts'

const roles = ['system', 'user', 'assistant', 'tool']

/** Messages as scripts write them: a text, a message, or a list of messages. */
export function readMessages(given: unknown): Message[] {
  if (typeof given === 'string') return [{ role: 'user', content: given }]
  const list: unknown[] = Array.isArray(given) ? given : [given]
  if (list.length === 0) throw new TypeError('there is no message to send')
  return list.map((each) => {
    if (!isRecord(each) || typeof each.role !== 'string' || !roles.includes(each.role))
      throw new TypeError(
        `a message has a role (${roles.join(', ')}) and a content, got ${shorten(JSON.stringify(each) ?? 'nothing', 200)}`,
      )
    const { role, content = '', name, tool_calls, tool_call_id } = each
    return {
      role: role as Message['role'],
      content,
      ...(typeof name === 'string' && { name }),
      ...(Array.isArray(tool_calls) && { toolCalls: tool_calls.map(readToolCall) }),
      ...(typeof tool_call_id === 'string' && { toolCallId: tool_call_id }),
    }
  })
}

/** In the form of the OpenAI API, or of viva's own results. */
function readToolCall(given: unknown): ToolCall {
  const call = isRecord(given) ? given : {}
  const inner = isRecord(call.function) ? call.function : call
  return {
    id: String(call.id ?? ''),
    name: String(inner.name ?? ''),
    arguments: readArguments(inner),
  }
}
