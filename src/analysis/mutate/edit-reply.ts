import { sameData } from '../../json/equal/find-difference.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import { mapParts } from '../../privacy/redact.ts'
import type { Message, ToolCall } from '../../results/transcript/message.ts'
import type { Reply } from '../../results/transcript/reply.ts'
import { escapeRegex } from '../../text/escape-regex.ts'

/** Replaces a passage wherever the reply has it as a whole: in its text, its data and its messages. */
export function replaceInReply(reply: Reply, from: string, to: string): Reply {
  const replace = createReplace(from, to)
  const output = replaceInData(reply.output, from, to, replace)
  const content = contentOf(reply, output) ?? replace(reply.content)
  return {
    ...reply,
    content,
    output,
    messages: reply.messages.map((each) => withText(each, reply, content, replace)),
  }
}

/** The same calls, another text. Data is gone with the text that it was made from. */
export function sayInstead(reply: Reply, text: string): Reply {
  const say = () => text
  const said = reply.messages.some(isSpoken)
  const messages = reply.messages.map((each) => (isSpoken(each) ? withText(each, reply, text, say) : each))
  return { ...reply, content: text, output: text, messages: said ? messages : [...messages, spoken(text)] }
}

/** The same text, other calls. */
export function withCalls(reply: Reply, calls: readonly ToolCall[]): Reply {
  const answers = reply.messages.filter(({ role }) => role === 'tool')
  const rest = reply.messages.flatMap((each) => withoutCalls(each))
  const toolCalls = [...calls]
  if (answers.length === 0) return { ...reply, toolCalls, messages: addCalls(rest, toolCalls) }
  const results = toolCalls.map((call) => answer(call, answers))
  const asking = toolCalls.length === 0 ? [] : [{ ...spoken(''), toolCalls }]
  return { ...reply, toolCalls, messages: [...asking, ...results, ...rest] }
}

/** Puts these calls in the place of one. */
export function replaceCall(reply: Reply, call: ToolCall, others: readonly ToolCall[]): Reply {
  const calls = reply.toolCalls === 'hidden' ? [] : reply.toolCalls
  return withCalls(
    reply,
    calls.flatMap((each) => (each === call ? others : [each])),
  )
}

/** Nothing but a text, as an agent that did nothing. */
export function onlyText(reply: Reply, text: string): Reply {
  const { inputHint: _, awaitingInput: __, ...rest } = reply
  const toolCalls = reply.toolCalls === 'hidden' ? reply.toolCalls : []
  return { ...rest, toolCalls, content: text, output: text, messages: [spoken(text)] }
}

const wordCharacter = /[\p{L}\p{N}_]/u

/** Only whole words and numbers: `50` is no part of `500` or `1.50`. */
function createReplace(from: string, to: string): (text: string) => string {
  const isNumber = /^\d/.test(from)
  const before = wordCharacter.test(from.at(0) ?? '')
    ? `(?<![\\p{L}\\p{N}_])${isNumber ? '(?<!\\d[.,])' : ''}`
    : ''
  const after = wordCharacter.test(from.at(-1) ?? '')
    ? `(?![\\p{L}\\p{N}_])${/\d$/.test(from) ? '(?![.,]\\d)' : ''}`
    : ''
  const pattern = new RegExp(`${before}${escapeRegex(from)}${after}`, 'gu')
  return (text) => text.replace(pattern, () => to)
}

function replaceInData(value: unknown, from: string, to: string, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value)
  if (typeof value === 'number')
    return String(value) === from && Number.isFinite(Number(to)) ? Number(to) : value
  return mapParts(
    value,
    (name) => name,
    (part) => replaceInData(part, from, to, replace),
  )
}

/** A text that is the JSON of the output stays that. */
function contentOf({ content, output }: Reply, changed: unknown): string | undefined {
  if (typeof output === 'string') return output === content ? String(changed) : undefined
  const data = isRecord(output) || Array.isArray(output) ? parseJson(content) : undefined
  if (data === undefined || !sameData(data, output)) return undefined
  return JSON.stringify(changed, null, content.includes('\n') ? 2 : undefined)
}

function withText(
  message: Message,
  reply: Reply,
  content: string,
  change: (text: string) => string,
): Message {
  if (message.role !== 'assistant' || typeof message.content !== 'string' || message.content === '')
    return message
  return { ...message, content: message.content === reply.content ? content : change(message.content) }
}

function isSpoken({ role, content }: Message): boolean {
  return role === 'assistant' && typeof content === 'string' && content !== ''
}

function spoken(content: string): Message {
  return { role: 'assistant', content }
}

/** Undefined for tool results, and for a message that had nothing but calls. */
function withoutCalls(message: Message): Message[] {
  const { toolCalls, ...rest } = message
  if (message.role === 'tool') return []
  return toolCalls !== undefined && (message.content === '' || message.content === null) ? [] : [rest]
}

/** Where results are no messages of their own, the calls are in the message that speaks. */
function addCalls(messages: readonly Message[], toolCalls: ToolCall[]): Message[] {
  if (toolCalls.length === 0) return [...messages]
  const place = messages.findLastIndex(({ role }) => role === 'assistant')
  if (place === -1) return [...messages, { ...spoken(''), toolCalls }]
  return messages.map((each, index) => (index === place ? { ...each, toolCalls } : each))
}

function answer({ id, name, result, error }: ToolCall, answers: readonly Message[]): Message {
  const known = answers.find(({ toolCallId }) => toolCallId === id)
  return known ?? { role: 'tool', name, content: error ?? result ?? null, toolCallId: id }
}
