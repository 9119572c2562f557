import { defined } from '../json/defined.ts'
import type { Data, Message, ToolCall } from '../results/transcript/message.ts'
import { parseArguments } from '../results/transcript/parse-arguments.ts'
import { parseAmount, type TokenUsage } from '../results/transcript/reply.ts'
import { asData, asList, asText, hasError } from './json.ts'
import { addToolResult, parseToolResult } from './message-reply.ts'
import { argumentsText } from './openai-completion.ts'
import { type AnsweredRequest, createBadAnswerError, createBadResponseError } from './read-answer.ts'

/** What a `response` object of OpenAI's Responses API says, however it was sent. */
export interface ParsedResponse {
  /** What it adds to the conversation, in its order, with the results of tools that have run. */
  messages: Message[]
  /** The calls that the caller is to run. */
  openCalls: ToolCall[]
  /** The calls that have run already. */
  providerCalls: ToolCall[]
  /** In the words of the chat API: `stop`, `tool_calls`, `length`, `content_filter`. */
  finishReason: string
  usage: TokenUsage
  awaitingInput: boolean
  /** What the model thought, as items that can be sent back to it. */
  reasoning: Data[]
}

/** The error of a response that failed or was cancelled. */
export function findResponseError({ status, error }: Data): unknown {
  if (status !== 'failed' && status !== 'cancelled') return undefined
  return error ?? { message: `the response is ${status}` }
}

/** Reads a `response` object without an error. */
export function parseResponse(sentRequest: AnsweredRequest, response: Data): ParsedResponse {
  const { status = 'completed', output, usage } = response
  if (!Array.isArray(output)) throw createBadAnswerError(sentRequest, 'has no list `output`', response)
  if (status !== 'completed' && status !== 'incomplete') {
    const fault = `is not finished (its status is ${JSON.stringify(status)})`
    throw createBadAnswerError(sentRequest, fault, response)
  }
  const items = output.map((item) => asData(item) ?? {})
  if (items.length > 0 && !items.some(({ type }) => asText(type)))
    throw createBadAnswerError(sentRequest, 'has no item with a `type` in `output`', response)
  const calls = parseCalls(sentRequest, items)
  const messages = listMessages(items, calls)
  const openCalls = [...calls].filter(([item]) => isOpenCall(item, items)).map(([, call]) => call)
  return {
    messages,
    openCalls,
    providerCalls: [...calls.values()].filter((call) => !openCalls.includes(call)),
    finishReason: findFinishReason(response, openCalls.length > 0),
    usage: parseUsage(asData(usage)),
    awaitingInput: items.some(({ type }) => type === 'mcp_approval_request'),
    reasoning: items.filter(canBeSentBack),
  }
}

/** Unknown reasons stay as they are. */
function findFinishReason({ status, incomplete_details: details }: Data, hasOpenCalls: boolean): string {
  if (status !== 'incomplete') return hasOpenCalls ? 'tool_calls' : 'stop'
  const reason = asText(asData(details)?.reason) ?? 'max_output_tokens'
  return /^max_(?:output_)?tokens$/.test(reason) ? 'length' : reason
}

/** Whether the caller is to run the tool. Hosted tools have run, although they have no item with a result. */
export function isOpenCall({ type, call_id: id }: Data, items: readonly Data[]): boolean {
  if (type !== 'function_call' && type !== 'custom_tool_call') return false
  return !items.some((item) => item.type === `${type}_output` && item.call_id === id)
}

/** The server stores nothing for viva, so only thoughts that are in the item itself are of use. */
function canBeSentBack({ type, encrypted_content: content }: Data): boolean {
  return type === 'reasoning' && asText(content) !== undefined
}

function listMessages(items: readonly Data[], calls: ReadonlyMap<Data, ToolCall>): Message[] {
  const messages: Message[] = []
  const known = new Map([...calls.values()].map((call) => [call.id, call]))
  for (const item of items) {
    const call = calls.get(item)
    if (call !== undefined) addCall(messages, item, call)
    else if (item.type === 'message') messages.push({ role: 'assistant', content: messageItemText(item) })
    else if (String(item.type).endsWith('_call_output')) {
      const id = asText(item.call_id) ?? ''
      addToolResult(messages, { id, call: known.get(id) }, { content: outputText(item.output) })
    }
  }
  return messages
}

function messageItemText({ content }: Data): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => asText(asData(part)?.text) ?? asText(asData(part)?.refusal) ?? '')
    .join('')
}

/** The result of a tool is text, or a list of parts. */
function outputText(output: unknown): unknown {
  return Array.isArray(output) ? messageItemText({ content: output }) : output
}

/** Consecutive calls belong to one message. Some kinds of calls have their result with them. */
function addCall(messages: Message[], { output, error }: Data, call: ToolCall): void {
  const last = messages.at(-1)
  if (last?.role === 'assistant') {
    last.toolCalls ??= []
    last.toolCalls.push(call)
  } else messages.push({ role: 'assistant', content: '', toolCalls: [call] })
  const reason =
    asText(error) ?? asText(asData(error)?.message) ?? (hasError(error) ? JSON.stringify(error) : undefined)
  if (reason !== undefined) call.error = reason
  else if (typeof output === 'string') call.result = parseToolResult(output)
}

/** The calls by their items. Those that came without an id are numbered. */
function parseCalls(sentRequest: AnsweredRequest, items: readonly Data[]): Map<Data, ToolCall> {
  const calls = new Map<Data, ToolCall>()
  for (const item of items) {
    if (!String(item.type).endsWith('_call')) continue
    calls.set(item, parseCall(sentRequest, item, `${sentRequest.callPrefix}_${calls.size}`))
  }
  return calls
}

/** A call of a function has a name. One of a hosted tool is named by its type, and its arguments are its own fields. */
function parseCall(sentRequest: AnsweredRequest, item: Data, standardId: string): ToolCall {
  const { type, id, call_id: callId, name, status, ...fields } = item
  const isFunction = type === 'function_call' || type === 'mcp_call'
  const isNamed = isFunction || type === 'custom_tool_call'
  if (isNamed && asText(name) === undefined)
    throw createBadResponseError(sentRequest, 'has a tool call without a name', JSON.stringify(item))
  return {
    id: asText(callId) ?? asText(id) ?? standardId,
    name: isNamed ? String(name) : String(type).replace(/_call$/, ''),
    arguments: isFunction
      ? parseArguments(argumentsText(item.arguments))
      : type === 'custom_tool_call'
        ? item.input
        : (fields.action ?? fields),
  }
}

/** Cached tokens are part of the input. */
function parseUsage(usage: Data | undefined): TokenUsage {
  return defined({
    inputTokens: parseAmount(usage?.input_tokens),
    outputTokens: parseAmount(usage?.output_tokens),
    cachedTokens: parseAmount(asData(usage?.input_tokens_details)?.cached_tokens),
  })
}
