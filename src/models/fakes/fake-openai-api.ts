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

/** The fake of OpenAI's chat completions. */
export const fakeOpenAIApi: FakeApi = {
  path: '/chat/completions',
  errorBody: ({ message, type, ...more }) => ({ error: { message, type, code: null, ...more } }),
  whole: (fields, request) => toWholeCompletion(buildFakeCompletion(fields, request)),
  events: (fields, request) => toChunks(buildFakeCompletion(fields, request), request),
  eventText: (event) => `data: ${textOrJson(event)}\n\n`,
}

interface FakeCompletion {
  head: Data
  text: string
  toolCalls: Data[]
  finishReason: string
  usage: Data | undefined
}

function buildFakeCompletion(fields: FakeAnswerFields, request: Data): FakeCompletion {
  const toolCalls = (fields.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${index + 1}`,
    type: 'function',
    function: { name: call.name, arguments: textOrJson(call.arguments ?? {}) },
  }))
  return {
    head: { id: 'chatcmpl-fake', created: 0, model: String(request.model ?? 'fake') },
    text: fakeText(fields, request),
    toolCalls,
    finishReason: fields.finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    usage: buildFakeUsage(fields, request),
  }
}

function buildFakeUsage(fields: FakeAnswerFields, request: Data): Data | undefined {
  const tokens = fakeTokens(fields, request)
  if (tokens === undefined) return undefined
  const { inputTokens, outputTokens } = tokens
  const total = inputTokens + outputTokens
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total }
}

function toWholeCompletion({ head, text, toolCalls, finishReason, usage }: FakeCompletion): Data {
  const message: Data = { role: 'assistant', content: text === '' ? null : text }
  if (toolCalls.length > 0) message.tool_calls = toolCalls
  const choices = [{ index: 0, message, finish_reason: finishReason }]
  return { ...head, object: 'chat.completion', choices, ...(usage === undefined ? {} : { usage }) }
}

/** Streams as OpenAI does: the role, the text by words, each call's name and then its arguments, the reason, the usage. */
function toChunks({ head, text, toolCalls, finishReason, usage }: FakeCompletion, request: Data): unknown[] {
  const deltas: Data[] = [
    { role: 'assistant', content: '' },
    ...streamedWords(text).map((word) => ({ content: word })),
  ]
  for (const [index, call] of toolCalls.entries()) deltas.push(...toolCallDeltas(call, index))
  const chunk = { ...head, object: 'chat.completion.chunk' }
  const chunks: unknown[] = deltas.map((delta) => ({
    ...chunk,
    choices: [{ index: 0, delta, finish_reason: null }],
  }))
  chunks.push({ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finishReason }] })
  const wanted = (request.stream_options as Data | undefined)?.include_usage === true
  if (wanted && usage !== undefined) chunks.push({ ...chunk, choices: [], usage })
  return [...chunks, '[DONE]']
}

function toolCallDeltas(call: Data, index: number): Data[] {
  const { name, arguments: text } = call.function as { name: string; arguments: string }
  return [
    { tool_calls: [{ ...call, index, function: { name, arguments: '' } }] },
    ...splitHalves(text).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}
