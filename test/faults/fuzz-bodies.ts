import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { httpAgent } from '../../src/agents/adapters/http.ts'
import { isTooDeep } from '../../src/json/json.ts'
import { createAnthropicModel } from '../../src/models/anthropic.ts'
import type { Model } from '../../src/models/model.ts'
import { createNetwork } from '../../src/models/network/network.ts'
import { createOpenAIModel } from '../../src/models/openai-compatible.ts'
import { httpFormatNames } from '../../src/project/http-formats.ts'
import { createPlainScope } from '../../src/scope/plain-scope.ts'
import type { Scope } from '../../src/scope/scope.ts'
import { answerTo, event } from './answer.ts'
import { faultIn, faultText, noFault } from './fault.ts'
import { type FuzzTarget, refusesAtMost } from './fuzz-target.ts'
import { mutated } from './mutate.ts'

interface Body {
  reader: string
  type: string
  status: number
  text: string
}

const asked = { path: '/v1/chat/completions', text: 'Grüße 😀', body: {} }
const tool = faultIn(faultText({ tool: 'look_up' })) ?? noFault
const whole = [answerTo(asked, noFault), answerTo(asked, tool)]
const streamed = [noFault, tool].map((fault) => answerTo({ ...asked, body: { stream: true } }, fault))
const anthropic = {
  type: 'message',
  role: 'assistant',
  content: [
    { type: 'text', text: 'hi' },
    { type: 'tool_use', id: 'a', name: 'x', input: { a: 1 } },
  ],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 2 },
}
const anthropicEvents = [
  { type: 'message_start', message: { ...anthropic, content: [] } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hi' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]
const errorBody = JSON.stringify({ error: { message: 'no', type: 'x', code: 'insufficient_quota' } })
const agentReply = JSON.stringify({
  content: 'hi',
  tool_calls: [{ name: 'x', arguments: { a: 1 } }],
  awaiting_input: true,
})

const eventOf = (data: unknown) => (typeof data === 'string' ? `data: ${data}\n\n` : event(data))
const formatStreams = [
  [
    { type: 'start' },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'hi' },
    { type: 'tool-input-available', toolCallId: 'c', toolName: 'x', input: { a: 1 } },
    { type: 'tool-output-available', toolCallId: 'c', output: { b: 2 } },
    { type: 'finish', messageMetadata: { usage: { inputTokens: 1 } } },
    '[DONE]',
  ],
  [
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'message', content: [{ text: 'hi' }] },
    },
    {
      type: 'response.completed',
      response: {
        status: 'completed',
        output: [
          { type: 'function_call', call_id: 'c', name: 'x', arguments: '{"a":1}' },
          { type: 'function_call_output', call_id: 'c', output: '{"b":2}' },
        ],
        usage: { input_tokens: 1 },
      },
    },
  ],
  [
    { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x' },
    { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"a":1}' },
    { type: 'TOOL_CALL_END', toolCallId: 'c' },
    { type: 'TOOL_CALL_RESULT', messageId: 'r', toolCallId: 'c', content: 'ok' },
    { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/a/-', value: 1 }] },
    { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'hi' },
    { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [{ id: 'i', message: 'ok?' }] } },
  ],
]
const graphState = {
  messages: [
    { type: 'human', id: 'u', content: 'hi' },
    { type: 'ai', id: 'a', content: '', tool_calls: [{ id: 'c', name: 'x', args: { a: 1 } }] },
    { type: 'tool', id: 't', tool_call_id: 'c', content: '{"b":2}', status: 'success' },
    { type: 'ai', id: 'b', content: [{ type: 'text', text: 'hi' }], usage_metadata: { input_tokens: 1 } },
  ],
  __interrupt__: [{ id: 'i', value: { question: 'ok?' } }],
}
const graphPieces = [
  [
    'messages',
    [
      {
        type: 'AIMessageChunk',
        id: 'a',
        content: 'hi',
        tool_call_chunks: [{ index: 0, name: 'x', args: '{' }],
      },
    ],
  ],
  ['updates', { node: { messages: graphState.messages } }],
  ['values', graphState],
  ['end', null],
].map(([name, data]) => `event: ${String(name)}\n${event(data)}`)

const seeds = [
  ...formatStreams.map((events) => events.map(eventOf).join('')),
  graphPieces.join(''),
  JSON.stringify(graphState),
  ...[...whole, ...streamed].map(({ pieces }) => pieces.join('')),
  JSON.stringify(anthropic),
  anthropicEvents.map((data) => `event: ${data.type}\n${event(data)}`).join(''),
  errorBody,
  agentReply,
]

const body: fc.Arbitrary<Body> = fc.record({
  reader: fc.constantFrom('openai', 'anthropic', 'http', 'sse', ...httpFormatNames),
  type: fc.constantFrom(
    'application/json',
    'text/event-stream',
    'text/plain',
    'text/html; charset=utf-8',
    '',
  ),
  status: fc.oneof(
    { weight: 4, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 204, 400, 404, 429, 500, 529),
  ),
  text: mutated(seeds),
})

/** The bodies are read by the same adapters as in a real run. */
export async function openFuzzBodies(): Promise<FuzzTarget<Body> & { close(): void }> {
  let now: Body = { reader: '', type: '', status: 200, text: '' }
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(now.status, now.type === '' ? {} : { 'content-type': now.type })
    response.end(now.text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const readers = createReaders(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    input: body,
    async read(input) {
      now = input
      const scope = createPlainScope({ signal: AbortSignal.timeout(10_000) })
      await refusesAtMost(async () => {
        const reply = await readers[input.reader]?.(scope)
        // Results are written as JSON; data that is too deep must be rejected before.
        if (!isTooDeep(reply)) JSON.stringify(reply)
      })
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function createReaders(url: string): Record<string, (scope: Scope) => Promise<unknown>> {
  const network = createNetwork({ connections: 1 })
  const generate = (model: Model) => (scope: Scope) =>
    model.generate({ messages: [{ role: 'user', content: 'hi' }], tools: [], settings: {} }, scope)
  const send = (config: Parameters<typeof httpAgent>[1]) => async (scope: Scope) => {
    const { agent } = httpAgent('fuzz', config, { network, env: {} })
    const session = await agent.open(scope)
    const input = { value: 'hi', message: { role: 'user' as const, content: 'hi' } }
    return session.send({ input, view: { history: [], turns: [] }, options: {} }, scope)
  }
  return {
    openai: generate(createOpenAIModel({ baseURL: `${url}/v1`, model: 'm', network })),
    anthropic: generate(createAnthropicModel({ baseURL: url, model: 'm', apiKey: 'none', network })),
    http: send({ url }),
    sse: send({
      url,
      stream: 'sse',
      event: { delta: '$.choices[0].delta.content', end: '[DONE]' },
      response: { content: '$.content', tool_calls: '$.tool_calls?' },
    }),
    ...Object.fromEntries(httpFormatNames.map((format) => [format, send({ url, format })])),
  }
}
