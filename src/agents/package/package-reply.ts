import { isRecord, textOrJson } from '../../json/json.ts'
import type { Message } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { SentMessage } from '../../scope/context.ts'
import type { Answered } from './tool-loop.ts'

/** The reply to the user: the data of `Next`, else the model's answer, else what hooks sent. */
export function packageReply(
  answered: Answered | undefined,
  data: unknown,
  sent: readonly SentMessage[],
): Reply {
  const reply = answered?.reply ?? { output: null, content: '', messages: [], toolCalls: [] }
  if (!isEmpty(data)) return dataReply(reply, data)
  return reply.content === '' ? sentReply(reply, sent) : reply
}

export function sentReply(reply: Reply, sent: readonly SentMessage[]): Reply {
  const texts = sent.map(({ text }) => text).filter((text) => text !== '')
  const content = texts.join('\n\n')
  return content === '' ? reply : withContent(reply, content, content)
}

/** In an object that declares whether it awaits input, `content` is the text. */
function dataReply(reply: Reply, data: unknown): Reply {
  const { awaiting_input: awaiting, input_hint: hint, content } = isRecord(data) ? data : {}
  // A list is data, and no list of parts of a message.
  const text = textOrJson(data)
  if (typeof awaiting !== 'boolean') return withContent(reply, data, text)
  return {
    ...withContent(reply, data, typeof content === 'string' ? content : text),
    awaitingInput: awaiting,
    ...(typeof hint === 'string' && { inputHint: hint }),
  }
}

/** Replaces the model's last answer; its tool calls stay in the history. */
function withContent(reply: Reply, output: unknown, content: string): Reply {
  const messages = reply.messages.filter(({ role, toolCalls }) => role !== 'assistant' || toolCalls?.length)
  const spoken: Message = { role: 'assistant', content }
  return { ...reply, output, content, messages: [...messages, spoken] }
}

/** Tool calls made before the turn was delegated belong to the reply, too. */
export function delegatedReply(answered: Answered | undefined, reply: Reply): Reply {
  if (answered === undefined) return reply
  const { toolCalls: made, messages } = answered.reply
  if (made !== 'hidden' && made.length === 0) return reply
  const toolCalls =
    made === 'hidden' || reply.toolCalls === 'hidden' ? 'hidden' : [...made, ...reply.toolCalls]
  // Without a call of viva's tools, what the model said before is in no message.
  const earlier = answered.calls.length === 0 ? [] : messages
  return { ...reply, toolCalls, messages: [...earlier, ...reply.messages] }
}

/** The Yao engine treats empty objects and lists like no data. */
function isEmpty(data: unknown): boolean {
  if (data === undefined || data === null || data === '') return true
  return typeof data === 'object' && Object.keys(data).length === 0
}
