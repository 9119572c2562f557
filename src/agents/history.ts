import type { Message } from '../transcript/message.ts'
import { messagesOf, type View } from '../transcript/turn.ts'

/** The conversation so far in the words of the OpenAI API, which authors of agents know. */
export function historyOf(view: View): object[] {
  return messagesOf(view).map(historyMessage)
}

export function historyMessage(message: Message): object {
  const { role, content, name, toolCalls, toolCallId } = message
  return {
    role,
    content,
    ...(name === undefined ? {} : { name }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
    ...(toolCalls === undefined
      ? {}
      : {
          tool_calls: toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
        }),
  }
}
