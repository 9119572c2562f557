import { defined } from '../json/defined.ts'
import type { Data, ToolCall } from '../results/transcript/message.ts'
import { parseArguments } from '../results/transcript/parse-arguments.ts'
import { parseAmount, type Reply, type TokenUsage } from '../results/transcript/reply.ts'
import { keepThoughts } from './anthropic-messages.ts'
import { asData, asNumber, asText } from './json.ts'
import {
  type AnswerDraft,
  type AnsweredRequest,
  type AnswerFormat,
  buildReply,
  createBadAnswerError,
  createBadResponseError,
} from './read-answer.ts'

/** The format of messages, complete or as a stream of events. */
export const anthropicFormat: AnswerFormat = { createDraft, parseReply: parseMessage }

/** Replies use the words of the OpenAI API; unknown reasons stay as they are. */
const finishReasons: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

function parseMessage(sentRequest: AnsweredRequest, message: Data): Reply {
  if (!Array.isArray(message.content)) throw createBadAnswerError(sentRequest, 'has no content', message)
  const blocks = message.content.map((block) => asData(block) ?? {})
  const calls = blocks.filter(isToolUse).map((block, index) => ({
    isOpen: block.type === 'tool_use',
    call: parseToolUse(sentRequest, block, index),
  }))
  const reason = asText(message.stop_reason)
  const reply = buildReply({
    content: blocks.map(({ type, text }) => (type === 'text' ? (asText(text) ?? '') : '')).join(''),
    toolCalls: calls.filter(({ isOpen }) => isOpen).map(({ call }) => call),
    providerCalls: calls.filter(({ isOpen }) => !isOpen).map(({ call }) => call),
    finishReason: reason === undefined ? undefined : (finishReasons[reason] ?? reason),
    usage: parseUsage(asData(message.usage)),
    raw: message,
  })
  const thoughts = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  for (const replyMessage of thoughts.length > 0 ? reply.messages : []) keepThoughts(replyMessage, thoughts)
  return reply
}

/** A `tool_use` is for the caller. The server has run its own: `server_tool_use`, `mcp_tool_use`. */
function isToolUse({ type }: Data): boolean {
  return /^(?:\w+_)?tool_use$/.test(String(type))
}

function parseToolUse(sentRequest: AnsweredRequest, block: Data, index: number): ToolCall {
  const name = asText(block.name)
  if (name === undefined)
    throw createBadResponseError(sentRequest, 'has a tool call without a name', JSON.stringify(block))
  const { input = {} } = block
  return {
    id: asText(block.id) ?? `${sentRequest.callPrefix}_${index}`,
    name,
    arguments: typeof input === 'string' ? parseArguments(input) : input,
  }
}

/** Tokens from the cache count as input, too. */
function parseUsage(usage: Data | undefined): TokenUsage {
  const sent = [usage?.input_tokens, usage?.cache_creation_input_tokens, usage?.cache_read_input_tokens]
  const counted = sent.map(parseAmount).filter((tokens) => tokens !== undefined)
  return defined({
    inputTokens: counted.length === 0 ? undefined : counted.reduce((sum, tokens) => sum + tokens, 0),
    outputTokens: parseAmount(usage?.output_tokens),
    cachedTokens: parseAmount(usage?.cache_read_input_tokens),
  })
}

function createDraft(): AnswerDraft {
  const message: Data = {}
  const blocks: Data[] = []
  let ended = false
  return {
    add(event) {
      if (event.type === 'message_start') Object.assign(message, asData(event.message))
      if (event.type === 'content_block_start')
        blocks[asNumber(event.index) ?? blocks.length] = beginBlock(event)
      if (event.type === 'content_block_delta') continueBlock(blocks, event)
      if (event.type === 'message_delta') {
        Object.assign(message, asData(event.delta))
        // The last usage holds totals, but does not repeat every field.
        const usage = { ...asData(message.usage), ...asData(event.usage) }
        if (Object.keys(usage).length > 0) message.usage = usage
      }
      if (event.type === 'message_stop') ended = true
    },
    isEnded: () => ended,
    isComplete: () => asText(message.stop_reason) !== undefined,
    text: () => blocks.map((block) => asText(block.text) ?? '').join(''),
    whole: () => ({ ...message, content: blocks.map(finishBlock) }),
  }
}

function beginBlock(event: Data): Data {
  const block = asData(event.content_block) ?? {}
  // Arguments arrive as pieces of JSON text; the initial input is an empty placeholder.
  return isToolUse(block) ? { ...block, input: '' } : { ...block }
}

/** The field of a block that each kind of delta extends. */
const deltaFields: Record<string, [field: string, piece: string]> = {
  text_delta: ['text', 'text'],
  input_json_delta: ['input', 'partial_json'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['signature', 'signature'],
}

function continueBlock(blocks: Data[], event: Data): void {
  const delta = asData(event.delta) ?? {}
  const block = blocks[asNumber(event.index) ?? blocks.length - 1]
  const [field, piece] = deltaFields[String(delta.type)] ?? []
  if (block === undefined || field === undefined || piece === undefined) return
  block[field] = `${asText(block[field]) ?? ''}${asText(delta[piece]) ?? ''}`
}

function finishBlock(block: Data): Data {
  return isToolUse(block) ? { ...block, input: parseArguments(String(block.input)) } : block
}
