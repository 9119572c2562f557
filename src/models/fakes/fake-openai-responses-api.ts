import { textOrJson } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import { asData, asList } from '../json.ts'
import {
  type FakeAnswerFields,
  type FakeApi,
  fakeText,
  fakeTokens,
  splitHalves,
  streamedWords,
} from './fake-answer.ts'

/** The fake of OpenAI's Responses API. */
export const fakeResponsesApi: FakeApi = {
  path: '/responses',
  errorBody: (error) => ({ error }),
  whole: buildFakeResponse,
  events: buildFakeEvents,
  eventText: (event) => `event: ${String(asData(event)?.type ?? 'message')}\ndata: ${textOrJson(event)}\n\n`,
}

function buildFakeResponse(fields: FakeAnswerFields, request: Data): Data {
  const asked = { ...request, messages: readInput(request) }
  const tokens = fakeTokens(fields, asked)
  const { finishReason } = fields
  const isComplete = finishReason === undefined || finishReason === 'completed'
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: 0,
    model: String(request.model ?? 'fake'),
    status: isComplete ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: isComplete ? null : { reason: finishReason },
    output: buildFakeItems(fields, asked),
    usage: tokens === undefined ? null : buildFakeUsage(fields, tokens),
  }
}

function buildFakeUsage(
  { usage }: FakeAnswerFields,
  { inputTokens, outputTokens }: { inputTokens: number; outputTokens: number },
): Data {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: usage?.cachedTokens ?? 0 },
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

/** The input as messages of the chat API: a text is the user's. */
function readInput({ input }: Data): Data[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return asList(input).flatMap((item) => {
    const message = asData(item)
    return message?.role === undefined ? [] : [message]
  })
}

function buildFakeItems(fields: FakeAnswerFields, asked: Data): Data[] {
  const text = fakeText(fields, asked)
  const content = [{ type: 'output_text', text, annotations: [] }]
  const message = { id: 'msg_fake', type: 'message', role: 'assistant', status: 'completed', content }
  const calls = (fields.toolCalls ?? []).map((call, index) => ({
    id: `fc_${index + 1}`,
    type: 'function_call',
    status: 'completed',
    call_id: call.id ?? `call_${index + 1}`,
    name: call.name,
    arguments: textOrJson(call.arguments ?? {}),
  }))
  return [...(text === '' ? [] : [message]), ...calls]
}

const finalEvents: Record<string, string> = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
}

/** Streams as OpenAI does: the response without output, each item in pieces, and the complete response. */
function buildFakeEvents(fields: FakeAnswerFields, request: Data): unknown[] {
  const response = buildFakeResponse(fields, request)
  const begun = { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null }
  return [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...asList(response.output).flatMap((item, index) => itemEvents(asData(item) ?? {}, index)),
    { type: finalEvents[String(response.status)], response },
  ].map((event, index) => ({ ...event, sequence_number: index }))
}

function itemEvents(item: Data, output_index: number): Data[] {
  const place = { item_id: item.id, output_index }
  const added = (begun: Data) => ({ type: 'response.output_item.added', output_index, item: begun })
  const done = { type: 'response.output_item.done', output_index, item }
  if (item.type === 'function_call') {
    const text = String(item.arguments)
    const type = 'response.function_call_arguments.delta'
    const deltas = splitHalves(text).map((delta) => ({ type, ...place, delta }))
    return [added({ ...item, status: 'in_progress', arguments: '' }), ...deltas, done]
  }
  const [part] = asList(item.content)
  const within = { ...place, content_index: 0 }
  const type = 'response.output_text.delta'
  return [
    added({ ...item, status: 'in_progress', content: [] }),
    { type: 'response.content_part.added', ...within, part: { ...asData(part), text: '' } },
    ...streamedWords(String(asData(part)?.text)).map((delta) => ({ type, ...within, delta })),
    { type: 'response.content_part.done', ...within, part },
    done,
  ]
}
