import { defined } from '../../../json/defined.ts'
import { asText } from '../../../models/json.ts'
import { guessMediaType, mediaUrl, partAsText, toMedia } from '../../../models/media.ts'
import { addToolResult, noResultText, withToolResults } from '../../../models/message-reply.ts'
import { type Data, type Message, messageText, type ToolCall } from '../../../results/transcript/message.ts'

/** A message as `useChat` keeps and sends it: text, tool calls with their results, files and more, in parts. */
export interface UIMessage {
  id: string
  role: string
  parts: Data[]
  metadata?: Data
}

/** Consecutive messages of the assistant and its tools are the steps of one UI message. */
export function toUIMessages(messages: readonly Message[], createId: () => string): UIMessage[] {
  const converted: UIMessage[] = []
  const calls = new Map<string, Data>()
  for (const message of withToolResults(messages)) {
    if (message.role === 'tool') {
      addResult(calls.get(message.toolCallId ?? ''), message.content)
      continue
    }
    const last = converted.at(-1)
    const isStep = message.role === 'assistant' && last?.role === 'assistant'
    const target: UIMessage = isStep ? last : { id: createId(), role: message.role, parts: [] }
    if (!isStep) converted.push(target)
    if (message.role === 'assistant') target.parts.push({ type: 'step-start' })
    target.parts.push(...contentParts(message.content))
    for (const call of message.toolCalls ?? []) {
      const part = callPart(call)
      calls.set(call.id, part)
      target.parts.push(part)
    }
  }
  return converted
}

function callPart({ id, name, arguments: input, result, error }: ToolCall): Data {
  const part: Data = { type: `tool-${name}`, toolCallId: id, state: 'input-available', input }
  if (error !== undefined) Object.assign(part, { state: 'output-error', errorText: error })
  else if (result !== undefined) addResult(part, result)
  return part
}

function addResult(part: Data | undefined, output: unknown): void {
  if (part?.state !== 'input-available') return
  if (output === noResultText) Object.assign(part, { state: 'output-error', errorText: noResultText })
  else Object.assign(part, { state: 'output-available', output })
}

function contentParts(content: unknown): Data[] {
  if (!Array.isArray(content)) return content === '' ? [] : [{ type: 'text', text: messageText(content) }]
  return content.map((part: unknown) => {
    const media = toMedia(part)
    if (media === undefined) return { type: 'text', text: partAsText(part) }
    const { name: filename } = media
    return { type: 'file', mediaType: guessMediaType(media), url: mediaUrl(media), ...defined({ filename }) }
  })
}

/** The message as it goes back: calls without a result get the late one, or a note, because models need a result. */
export function withoutOpenCalls(message: UIMessage, calls: readonly ToolCall[]): UIMessage {
  const parts = message.parts.map((part) => {
    if (part.state !== 'input-available' && part.state !== 'approval-requested') return part
    const { approval: _, ...open } = part
    const { result = noResultText, error } = calls.find(({ id }) => id === part.toolCallId) ?? {}
    const answered: Data = { ...open, state: 'input-available' }
    if (error !== undefined) Object.assign(answered, { state: 'output-error', errorText: error })
    else addResult(answered, result)
    return answered
  })
  return { ...message, parts }
}

/** What a UI message of the agent adds to the conversation: text after a tool call is said after it. */
export function fromUIMessage({ parts }: UIMessage): Message[] {
  const messages: Message[] = []
  let said: Message | undefined
  let results: (() => void)[] = []
  const endStep = () => {
    for (const add of results) add()
    results = []
    said = undefined
  }
  const speak = () => {
    if (said !== undefined) return said
    said = { role: 'assistant', content: '' }
    messages.push(said)
    return said
  }
  for (const part of parts) {
    const call = readCall(part)
    if (part.type === 'step-start') endStep()
    else if (part.type === 'text') {
      if (said?.toolCalls !== undefined) endStep()
      const message = speak()
      message.content = `${messageText(message.content)}${asText(part.text) ?? ''}`
    } else if (call !== undefined) {
      const message = speak()
      message.toolCalls ??= []
      message.toolCalls.push(call)
      const result = readResult(part)
      if (result !== undefined) results.push(() => addToolResult(messages, { id: call.id, call }, result))
    }
  }
  endStep()
  return messages
}

function readCall(part: Data): ToolCall | undefined {
  const name = toolNameOf(part)
  if (name === undefined) return undefined
  return { id: asText(part.toolCallId) ?? '', name, arguments: part.input ?? part.rawInput ?? {} }
}

export function toolNameOf({ type, toolName }: Data): string | undefined {
  if (type === 'dynamic-tool') return asText(toolName)
  return typeof type === 'string' && type.startsWith('tool-') ? type.slice('tool-'.length) : undefined
}

/** The results of calls of earlier messages, which this message has no part for. */
export function fromLateParts(
  parts: ReadonlyMap<string, Data>,
  earlier: ReadonlyMap<string, ToolCall>,
): Message[] {
  const messages: Message[] = []
  for (const [id, part] of parts) {
    const call = earlier.get(id)
    const result = readResult(part)
    if (call !== undefined && result !== undefined) addToolResult(messages, { id, call }, result)
  }
  return messages
}

function readResult({ state, output, errorText }: Data): { content: unknown; error?: string } | undefined {
  if (state === 'output-available') return { content: output }
  if (state === 'output-error') return { content: '', error: asText(errorText) ?? 'the tool failed' }
  return state === 'output-denied' ? { content: '', error: 'the call was denied' } : undefined
}
