import { expect, onTestFinished, test } from 'vitest'
import type { Data } from '../../results/transcript/message.ts'
import type { FakeAnswer } from './fake-answer.ts'
import { startFakeOpenAIResponsesServer } from './fake-openai-responses-server.ts'

async function ask(answer: FakeAnswer, more: Data = {}): Promise<Response> {
  const server = await startFakeOpenAIResponsesServer({ answer: () => answer })
  onTestFinished(() => server.close())
  const body = JSON.stringify({ model: 'm', input: 'Hello there', ...more })
  return fetch(`${server.url}/responses`, { method: 'POST', body })
}

test('the fake Responses server echoes the input, with words counted as tokens', async () => {
  const content = [{ type: 'output_text', text: 'Hello there', annotations: [] }]
  expect(await (await ask({})).json()).toEqual({
    id: 'resp_fake',
    object: 'response',
    created_at: 0,
    model: 'm',
    status: 'completed',
    error: null,
    incomplete_details: null,
    output: [{ id: 'msg_fake', type: 'message', role: 'assistant', status: 'completed', content }],
    usage: {
      input_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 2,
      total_tokens: 4,
    },
  })
})

test('the fake Responses server echoes the last user message of a list', async () => {
  const input = [
    { role: 'user', content: 'Hello' },
    { type: 'function_call_output', call_id: 'a', output: 'x' },
    { role: 'user', content: [{ type: 'input_text', text: 'Bye' }] },
  ]
  expect(await (await ask({}, { input })).json()).toMatchObject({ output: [{ content: [{ text: 'Bye' }] }] })
})

test('the fake Responses server streams named events on request', async () => {
  const answer = { text: 'Hi', toolCalls: [{ name: 'search', arguments: { q: 1 } }] }
  const response = await ask(answer, { stream: true })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = (await response.text()).trim().split('\n\n')
  const names = events.map((event) => /^event: response\.([\w.]+)\ndata: \{/.exec(event)?.[1])
  const text = ['output_item.added', 'content_part.added', 'output_text.delta', 'content_part.done']
  const call = ['output_item.added', 'function_call_arguments.delta', 'function_call_arguments.delta']
  const items = [...text, 'output_item.done', ...call, 'output_item.done']
  expect(names).toEqual(['created', 'in_progress', ...items, 'completed'])
})

test('the fake Responses server answers with errors as OpenAI writes them', async () => {
  const response = await ask({ status: 429, error: { type: 'tokens', message: 'Slow down' } })
  expect(response.status).toBe(429)
  expect(await response.json()).toEqual({ error: { type: 'tokens', message: 'Slow down' } })
})
