import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import type { Data } from '../results/transcript/message.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { createRequest, listen, openAI } from './model-test-server.ts'

const { failureFor, modelAt, replyTo } = openAI

describe('differences between servers', () => {
  const delta = (fields: Data, finish: string | null = null) => ({
    choices: [{ delta: fields, finish_reason: finish }],
  })
  const calls = (...toolCalls: Data[]) => delta({ tool_calls: toolCalls })

  test('JSON for a streaming request, and a stream for a plain one', async () => {
    const message = { role: 'assistant', content: 'whole' }
    const body = { choices: [{ index: 0, message, finish_reason: 'stop' }] }
    expect((await replyTo({ body })).content).toBe('whole')
    const events = [delta({ content: 'str' }), delta({ content: 'eam' }, 'stop'), '[DONE]']
    expect((await replyTo({ events }, { stream: false })).content).toBe('stream')
    const headers = { 'content-type': 'text/plain' }
    expect((await replyTo({ events, headers })).content).toBe('stream')
  })

  test('arguments under the name of args, whole and in pieces', async () => {
    const message = {
      role: 'assistant',
      tool_calls: [{ id: 'a', function: { name: 'one', args: { x: 1 } } }],
    }
    const whole = await replyTo({ body: { choices: [{ message, finish_reason: 'tool_calls' }] } })
    expect(whole.toolCalls).toEqual([{ id: 'a', name: 'one', arguments: { x: 1 } }])
    const begun = calls({ index: 0, id: 'a', function: { name: 'one', args: '{"x":' } })
    const rest = calls({ index: 0, function: { args: '1}' } })
    const streamed = await replyTo({ events: [begun, rest, delta({}, 'tool_calls'), '[DONE]'] })
    expect(streamed.toolCalls).toEqual([{ id: 'a', name: 'one', arguments: { x: 1 } }])
  })

  test('interleaved deltas of calls, numbered without repeating the id', async () => {
    const reply = await replyTo({
      events: [
        calls({ index: 0, id: 'a', function: { name: 'one', arguments: '' } }),
        calls({ index: 1, id: 'b', function: { name: 'two', arguments: '{"y":' } }),
        calls({ index: 0, function: { arguments: '{"x":1}' } }, { index: 1, function: { arguments: '2}' } }),
        delta({}, 'tool_calls'),
        '[DONE]',
      ],
    })
    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: { x: 1 } },
      { id: 'b', name: 'two', arguments: { y: 2 } },
    ])
  })

  test('deltas without numbers, with the id once or every time', async () => {
    const reply = await replyTo({
      events: [
        calls({ id: 'a', function: { name: 'one', arguments: '{"x"' } }),
        calls({ function: { arguments: ':1}' } }),
        calls({ id: 'b', function: { name: 'two', arguments: '{"y"' } }),
        calls({ id: 'b', function: { name: 'two', arguments: ':2}' } }),
        delta({}, 'tool_calls'),
      ],
    })
    expect(reply.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: { x: 1 } },
      { id: 'b', name: 'two', arguments: { y: 2 } },
    ])
  })

  test('complete calls, all numbered 0, or without ids, or with arguments as an object', async () => {
    const numbered = await replyTo({
      events: [
        calls({ index: 0, id: 'a', function: { name: 'one', arguments: '{}' } }),
        calls({ index: 0, id: 'b', function: { name: 'one', arguments: '{}' } }),
        '[DONE]',
      ],
    })
    expect(numbered.toolCalls).toEqual([
      { id: 'a', name: 'one', arguments: {} },
      { id: 'b', name: 'one', arguments: {} },
    ])
    const unnamed = await replyTo({
      events: [
        calls(
          { function: { name: 'one', arguments: { x: 1 } } },
          { function: { name: 'two', arguments: null } },
        ),
        delta({}, 'tool_calls'),
      ],
    })
    expect(unnamed.toolCalls).toEqual([
      { id: 'call_1_0', name: 'one', arguments: { x: 1 } },
      { id: 'call_1_1', name: 'two', arguments: {} },
    ])
  })

  test('a refusal in place of content, reasoning beside it, content as parts', async () => {
    const events = [
      delta({ reasoning_content: 'hm' }),
      delta({ refusal: 'I will ' }),
      delta({ refusal: 'not.' }, 'stop'),
    ]
    expect((await replyTo({ events })).content).toBe('I will not.')
    const content = [
      { type: 'thinking', text: 'hm' },
      { type: 'text', text: 'Yes' },
      { type: 'text', text: '.' },
    ]
    const body = { choices: [{ message: { content, reasoning_content: 'hm' }, finish_reason: 'stop' }] }
    expect((await replyTo({ body })).content).toBe('Yes.')
    const refused = { choices: [{ message: { content: null, refusal: 'No.' } }] }
    expect((await replyTo({ body: refused })).output).toBe('No.')
  })

  test('no [DONE] after the finish reason, and a cut after it', async () => {
    expect((await replyTo({ events: [delta({ content: 'a' }, 'stop')] })).content).toBe('a')
    const events = [delta({ content: 'a' }), delta({}, 'stop'), ': usage would come here', '[DONE]']
    expect((await replyTo({ events, cut: 'mid-stream' })).content).toBe('a')
  })

  test('a stream that is no chat completion, which is shown as it came', async () => {
    const events = [{ choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }] }, '[DONE]']
    const { kind, message } = await failureFor({ events })
    expect(kind).toBe('bad_response')
    expect(message).toContain(`has no choices with a message. It begins: data: ${JSON.stringify(events[0])}`)
  })

  test('a call without a name, which is shown without one', async () => {
    const events = [
      calls({ index: 0, id: 'a', function: { arguments: '{}' } }),
      delta({}, 'tool_calls'),
      '[DONE]',
    ]
    const { message } = await failureFor({ events })
    expect(message).toContain('has a tool call without a name. It begins: {"id":"a"')
    expect(message).not.toContain('"name"')
  })

  test('a negative token count, which is ignored', async () => {
    const counted = { ...delta({ content: 'a' }, 'stop'), usage: { prompt_tokens: -7, completion_tokens: 2 } }
    const reply = await replyTo({ events: [counted, '[DONE]'] })
    expect(reply.usage).toEqual({ outputTokens: 2 })
  })

  test('usage with every chunk, of which the last one counts', async () => {
    const counted = (tokens: number) => ({ ...delta({ content: 'a' }), usage: { completion_tokens: tokens } })
    const reply = await replyTo({ events: [counted(1), counted(2), delta({}, 'length'), '[DONE]'] })
    expect(reply.usage).toEqual({ outputTokens: 2 })
    expect(reply.finishReason).toBe('length')
  })

  test('several choices, of which the first one is the answer', async () => {
    const of = (index: number, content: string) => ({ index, delta: { content }, finish_reason: 'stop' })
    const events = [{ choices: [of(1, 'b')] }, { choices: [of(0, 'a')] }, '[DONE]']
    expect((await replyTo({ events })).content).toBe('a')
  })

  test('a stream that is left open after [DONE]', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(delta({ content: 'a' }))}\n\ndata: [DONE]\n\n`)
    })
    const reply = await modelAt(await listen(server)).generate(createRequest('Hi'), createPlainScope())
    expect(reply.content).toBe('a')
  })

  test('characters split across the chunks of a body', async () => {
    const server = createServer(async (_request, response) => {
      const body = Buffer.from(
        `data: ${JSON.stringify(delta({ content: 'Zürich 😀 東京' }, 'stop'))}\r\n\r\n`,
      )
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      for (const byte of body) await new Promise((resolve) => response.write(Buffer.from([byte]), resolve))
      response.end('data: [DONE]\n\n')
    })
    const reply = await modelAt(await listen(server)).generate(createRequest('Hi'), createPlainScope())
    expect(reply.content).toBe('Zürich 😀 東京')
  })
})

describe('a bad answer', () => {
  test.each([
    ['is not JSON', '<!doctype html><title>Welcome</title>', 'Welcome'],
    ['is empty', '', 'It is empty'],
    ['is JSON but not an object', '[1]', '[1]'],
    ['is malformed', '{"choices": oops}', 'oops'],
    ['has no choices', '{"id":"x"}', '{"id":"x"}'],
    ['has an empty list of choices', '{"choices":[]}', 'no choices'],
    ['has choices that are not objects', '{"choices":["a"]}', 'no choices'],
    ['has a choice without a message', '{"choices":[{"text":"a"}]}', '{"text":"a"}'],
    ['has a tool call without a name', '{"choices":[{"message":{"tool_calls":[{"id":"a"}]}}]}', '{"id":"a"}'],
  ])('is refused because it %s', async (_fault, body, shown) => {
    const failure = await failureFor({ body })
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
    expect(failure.message).toContain(shown)
  })

  test('is refused because an event is not JSON, or nothing came before [DONE]', async () => {
    const failure = await failureFor({ events: ['{"oops'] })
    expect(failure).toMatchObject({ kind: 'bad_response', retryable: false })
    expect(failure.message).toContain('{"oops')
    expect(await failureFor({ events: ['[DONE]'] })).toMatchObject({ kind: 'bad_response' })
  })

  test('is quoted only from its start', async () => {
    const { message } = await failureFor({ body: 'x'.repeat(1024 * 1024) })
    expect(message.length).toBeLessThan(600)
  })
})
