import { type Data, type Message, type ToolCall, textOf } from '../results/transcript/message.ts'
import type { Turn, View } from '../results/transcript/turn.ts'

/** A conversation as judges are shown it: who said what, and what tools were called for it. */
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
  const asked = { role: 'user', content: textOf(input.message.content) }
  if (reply === undefined) return [asked, { role: 'assistant', error: error ?? 'it gave no answer' }]
  // Of an agent that hides them nothing can be said.
  if (reply.toolCalls === 'hidden')
    return [asked, { role: 'assistant', content: reply.content, tool_calls: 'not shown' }]
  const calls = reply.toolCalls
  return [
    asked,
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
