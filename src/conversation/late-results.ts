import type { Message, ToolCall } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import type { Turn } from '../results/transcript/turn.ts'

/** Adds the results that came with a later reply to the calls that they belong to. Recorded replies stay as they are. */
export function attachLateResults(turns: readonly Turn[], { lateResults = [] }: Reply): void {
  if (lateResults.length === 0) return
  const late = new Map(lateResults.map((call) => [call.id, call]))
  // Where ids are used again, the newest call is meant.
  for (const turn of turns.toReversed()) {
    const { reply } = turn
    if (reply === undefined || reply.toolCalls === 'hidden') continue
    const answered = reply.toolCalls.filter(({ id }) => late.has(id))
    if (answered.length === 0) continue
    turn.reply = {
      ...reply,
      toolCalls: withResults(reply.toolCalls, late),
      messages: reply.messages.map((message) => withCallResults(message, late)),
    }
    for (const { id } of answered) late.delete(id)
  }
}

function withCallResults(message: Message, late: ReadonlyMap<string, ToolCall>): Message {
  const { toolCalls } = message
  return toolCalls === undefined ? message : { ...message, toolCalls: withResults(toolCalls, late) }
}

function withResults(calls: readonly ToolCall[], late: ReadonlyMap<string, ToolCall>): ToolCall[] {
  return calls.map((call) => {
    const isOpen = call.result === undefined && call.error === undefined
    return (isOpen ? late.get(call.id) : undefined) ?? call
  })
}
