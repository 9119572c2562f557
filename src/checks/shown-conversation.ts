import { type Data, type Message, type ToolCall, textOf } from '../results/transcript/message.ts'
import type { Turn, View } from '../results/transcript/turn.ts'

/** A conversation as judges see it: the messages and tool calls. */
export function shownConversation({ history, turns }: View, upTo: number): Data[] {
  return [
    ...history.flatMap(historyMessage),
    ...turns.filter(({ number }) => number <= upTo).flatMap(shownTurn),
  ]
}

function historyMessage({ role, content, toolCalls = [] }: Message): Data[] {
  if (role === 'system') return []
  if (role === 'tool') return [{ role, content: textOf(content) }]
  return [
    { role, content: textOf(content), ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(shownCall) }) },
  ]
}

function shownTurn({ input, reply, error }: Turn): Data[] {
  const question = { role: 'user', content: textOf(input.message.content) }
  if (reply === undefined) return [question, { role: 'assistant', error: error ?? 'it gave no answer' }]
  // An agent that hides its tool calls may have made some.
  if (reply.toolCalls === 'hidden')
    return [question, { role: 'assistant', content: reply.content, tool_calls: 'not shown' }]
  const calls = reply.toolCalls
  return [
    question,
    {
      role: 'assistant',
      content: reply.content,
      ...(calls.length > 0 && { tool_calls: calls.map(shownCall) }),
    },
  ]
}

function shownCall({ name, arguments: args, result, error }: ToolCall): Data {
  return {
    name,
    arguments: args,
    ...(result !== undefined && { result }),
    ...(error !== undefined && { error }),
  }
}
