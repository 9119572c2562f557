import { defined, emptyToUndefined } from '../json/defined.ts'
import { parseJson, textOrJson } from '../json/json.ts'
import { type Message, messageText, type ToolCall } from '../results/transcript/message.ts'
import type { ModelUsage, Reply } from '../results/transcript/reply.ts'
import { sumUsage } from './reported-usage.ts'

interface MessageReply {
  /** What the answer adds to the conversation, in its order. */
  messages: Message[]
  /** The structured data of the answer, if it has any. */
  output: unknown
  /** The text, if no message has one. */
  fallbackText?: string | undefined
  finishReason: string | undefined
  /** By model, or by call. */
  usage: readonly ModelUsage[]
  raw: unknown
  /** Calls of earlier replies, with their results. */
  lateResults?: readonly ToolCall[]
  awaitingInput?: boolean
  inputHint?: string | undefined
}

/** The reply of an agent that may have said something before, between and after its tool calls: users read all of it. */
export function buildMessageReply(answer: MessageReply): Reply {
  const spoken = answer.messages.filter(({ role }) => role === 'assistant')
  const texts = spoken.map(({ content }) => messageText(content)).filter((text) => text !== '')
  // People read data where there is no text, as with other agents.
  const content =
    texts.length > 0 ? texts.join('\n\n') : (answer.fallbackText ?? textOrJson(answer.output ?? ''))
  const messages = [...answer.messages]
  if (messages.at(-1)?.role !== 'assistant') {
    messages.push({ role: 'assistant', content: texts.length > 0 ? '' : content })
  }
  const { output = content, finishReason, usage, raw, awaitingInput, inputHint } = answer
  const toolCalls = spoken.flatMap((message) => message.toolCalls ?? [])
  const { usage: sum, usageByModel } = sumUsage(usage)
  const { lateResults = [] } = answer
  const declared = defined({
    lateResults: lateResults.length === 0 ? undefined : [...lateResults],
    finishReason,
    usage: emptyToUndefined(sum),
    usageByModel,
    awaitingInput: awaitingInput || undefined,
    inputHint,
  })
  return { output, content, messages, toolCalls, raw, ...declared }
}

/** Adds the result of a call to the call, if it is of this answer, and as a message. */
export function addToolResult(
  messages: Message[],
  { id, call }: { id: string; call: ToolCall | undefined },
  { content, error }: { content: unknown; error?: string | undefined },
): void {
  if (call !== undefined && error !== undefined) call.error = error
  else if (call !== undefined) call.result = parseToolResult(content)
  const message: Message = { role: 'tool', content: error ?? content, toolCallId: id }
  messages.push(call === undefined ? message : { ...message, name: call.name })
}

/** Protocols carry results as text, which most often is JSON. */
export function parseToolResult(content: unknown): unknown {
  if (typeof content !== 'string' || !/^\s*[{[]/.test(content)) return content
  return parseJson(content) ?? content
}

/** What models read where a tool has no result: they refuse a conversation without. Only the user's next message is known. */
export const noResultText = 'There is no result: the conversation went on.'

/** The conversation with a message for the result of every call, right after the message that made it. */
export function withToolResults(messages: readonly Message[]): Message[] {
  const completed: Message[] = []
  let open: ToolCall[] = []
  const answerOpen = () => {
    for (const { id, name, result = noResultText, error } of open)
      completed.push({ role: 'tool', content: error ?? textOrJson(result), name, toolCallId: id })
    open = []
  }
  for (const message of messages) {
    if (message.role === 'tool') open = open.filter(({ id }) => id !== message.toolCallId)
    else answerOpen()
    completed.push(message)
    if (message.role === 'assistant') open = [...(message.toolCalls ?? [])]
  }
  answerOpen()
  return completed
}
