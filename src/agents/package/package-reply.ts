import { isRecord, textOrJson } from '../../json/json.ts'
import type { Message } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import type { SentMessage } from '../../scope/context.ts'
import type { Answered } from './tool-loop.ts'

/** What the user gets: the first that is there of the data of `Next`, the model's words, and what hooks sent. */
export function packageReply(
  answered: Answered | undefined,
  data: unknown,
  sent: readonly SentMessage[],
): Reply {
  const reply = answered?.reply ?? { output: null, content: '', messages: [], toolCalls: [] }
  if (!isEmpty(data)) return dataReply(reply, data)
  return reply.content === '' ? sentReply(reply, sent) : reply
}

/** What hooks sent, where nothing else was said. */
export function sentReply(reply: Reply, sent: readonly SentMessage[]): Reply {
  const texts = sent.map(({ text }) => text).filter((text) => text !== '')
  const content = texts.join('\n\n')
  return content === '' ? reply : said(reply, content, content)
}

/** Of an object that declares whether it waits for input, the text is its `content`. */
function dataReply(reply: Reply, data: unknown): Reply {
  const { awaiting_input: awaiting, input_hint: hint, content } = isRecord(data) ? data : {}
  // A list is data, and no list of parts of a message.
  const text = textOrJson(data)
  if (typeof awaiting !== 'boolean') return said(reply, data, text)
  return {
    ...said(reply, data, typeof content === 'string' ? content : text),
    awaitingInput: awaiting,
    ...(typeof hint === 'string' && { inputHint: hint }),
  }
}

/** In the place of what the model said last; what it asked its tools for stays in the history. */
function said(reply: Reply, output: unknown, content: string): Reply {
  const messages = reply.messages.filter(({ role, toolCalls }) => role !== 'assistant' || toolCalls?.length)
  const spoken: Message = { role: 'assistant', content }
  return { ...reply, output, content, messages: [...messages, spoken] }
}

/** What came before it was handed on belongs to the reply too. */
export function delegatedReply(answered: Answered | undefined, reply: Reply): Reply {
  if (answered === undefined || answered.calls.length === 0) return reply
  const { toolCalls: made, messages } = answered.reply
  const toolCalls =
    made === 'hidden' || reply.toolCalls === 'hidden' ? 'hidden' : [...made, ...reply.toolCalls]
  return { ...reply, toolCalls, messages: [...messages, ...reply.messages] }
}

/** As the engine sees it: what has nothing in it is as good as none. */
function isEmpty(data: unknown): boolean {
  if (data === undefined || data === null || data === '') return true
  return typeof data === 'object' && Object.keys(data).length === 0
}
