import { defined } from '../json/defined.ts'
import { inlineFiles } from '../models/media.ts'
import type { Message } from '../results/transcript/message.ts'
import { listMessages, type View } from '../results/transcript/turn.ts'

/** The conversation so far in the words of the OpenAI API, which authors of agents know. */
export function historyMessages(view: View): HistoryMessage[] {
  return listMessages(view).map(historyMessage)
}

/** Adds the contents of files for sending; events and reports only show their names. */
export function addFiles(messages: readonly HistoryMessage[]): HistoryMessage[] {
  return messages.map((message) => ({ ...message, content: inlineFiles(message.content) }))
}

interface HistoryMessage {
  role: string
  content: unknown
}

export function historyMessage(message: Message): HistoryMessage {
  const { role, content, name, toolCalls, toolCallId } = message
  return {
    role,
    content,
    ...defined({
      name,
      tool_call_id: toolCallId,
      tool_calls: toolCalls?.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
    }),
  }
}
