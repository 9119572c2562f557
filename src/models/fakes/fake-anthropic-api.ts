import { textOrJson } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import {
  type FakeAnswerFields,
  type FakeApi,
  fakeText,
  fakeTokens,
  splitHalves,
  streamedWords,
} from './fake-answer.ts'

/** The fake of Anthropic's messages API. */
export const fakeAnthropicApi: FakeApi = {
  path: '/messages',
  errorBody: (error) => ({ type: 'error', error }),
  whole: buildFakeMessage,
  events: buildFakeEvents,
  eventText: (event) => {
    const { type } = (typeof event === 'object' && event !== null ? event : {}) as Data
    return `event: ${typeof type === 'string' ? type : 'message'}\ndata: ${textOrJson(event)}\n\n`
  },
}

interface Block {
  type: 'text' | 'tool_use'
  text?: string
  id?: string
  name?: string
  input?: unknown
}

function buildFakeMessage(fields: FakeAnswerFields, request: Data): Data {
  const tokens = fakeTokens(fields, request)
  const usage = { input_tokens: tokens?.inputTokens, output_tokens: tokens?.outputTokens }
  return {
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: String(request.model ?? 'fake'),
    content: buildFakeBlocks(fields, request),
    stop_reason: fields.finishReason ?? (fields.toolCalls === undefined ? 'end_turn' : 'tool_use'),
    stop_sequence: null,
    ...(tokens === undefined ? {} : { usage }),
  }
}

function buildFakeBlocks(fields: FakeAnswerFields, request: Data): Block[] {
  const text = fakeText(fields, request)
  const calls = (fields.toolCalls ?? []).map(
    (call, index): Block => ({
      type: 'tool_use',
      id: call.id ?? `call_${index + 1}`,
      name: call.name,
      input: call.arguments ?? {},
    }),
  )
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...calls]
}

/** Streams as Anthropic does: the message without content, each block in pieces, the reason with the usage, the end. */
function buildFakeEvents(fields: FakeAnswerFields, request: Data): unknown[] {
  const { content, stop_reason, usage, ...head } = buildFakeMessage(fields, request)
  const { input_tokens, output_tokens } = (usage ?? {}) as Data
  return [
    {
      type: 'message_start',
      message: { ...head, content: [], stop_reason: null, ...(usage ? { usage: { input_tokens } } : {}) },
    },
    { type: 'ping' },
    ...(content as Block[]).flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason }, ...(usage ? { usage: { output_tokens } } : {}) },
    { type: 'message_stop' },
  ]
}

function blockEvents(block: Block, index: number): unknown[] {
  const delta = (fields: Data) => ({ type: 'content_block_delta', index, delta: fields })
  const begun = block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
  const pieces =
    block.type === 'text'
      ? streamedWords(block.text ?? '').map((text) => delta({ type: 'text_delta', text }))
      : splitHalves(textOrJson(block.input)).map((json) =>
          delta({ type: 'input_json_delta', partial_json: json }),
        )
  return [
    { type: 'content_block_start', index, content_block: begun },
    ...pieces,
    { type: 'content_block_stop', index },
  ]
}
