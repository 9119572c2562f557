import { expect, onTestFinished, test } from 'vitest'
import type { Data } from '../../results/transcript/message.ts'
import type { FakeAnswer } from './fake-answer.ts'
import { startFakeAnthropicServer } from './fake-anthropic-server.ts'

async function ask(answer: FakeAnswer, more: Data = {}): Promise<Response> {
  const server = await startFakeAnthropicServer({ answer: () => answer })
  onTestFinished(() => server.close())
  const messages = [{ role: 'user', content: 'Hello there' }]
  const body = JSON.stringify({ model: 'm', max_tokens: 5, messages, ...more })
  return fetch(`${server.url}/messages`, { method: 'POST', body })
}

test('the fake Anthropic server echoes the last user message, with words counted as tokens', async () => {
  expect(await (await ask({})).json()).toEqual({
    id: 'msg_fake',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text: 'Hello there' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 2, output_tokens: 2 },
  })
})

test('the fake Anthropic server streams named events on request', async () => {
  const answer = { text: 'Hi', toolCalls: [{ name: 'search', arguments: { q: 1 } }] }
  const response = await ask(answer, { stream: true })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const events = (await response.text()).trim().split('\n\n')
  const names = events.map((event) => /^event: (\w+)\ndata: \{/.exec(event)?.[1])
  const block = ['content_block_start', 'content_block_delta', 'content_block_stop']
  const call = ['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop']
  expect(names).toEqual(['message_start', 'ping', ...block, ...call, 'message_delta', 'message_stop'])
})

test('the fake Anthropic server answers with errors as Anthropic writes them', async () => {
  const response = await ask({ status: 529, error: { type: 'overloaded_error', message: 'Overloaded' } })
  expect(response.status).toBe(529)
  expect(await response.json()).toEqual({
    type: 'error',
    error: { type: 'overloaded_error', message: 'Overloaded' },
  })
})
