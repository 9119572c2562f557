import { describe, expect, test } from 'vitest'
import type { Data } from '../results/transcript/message.ts'
import { findResponseError, parseResponse } from './openai-responses-reply.ts'

function read(response: Data, callPrefix = 'call') {
  return parseResponse(
    { url: new URL('http://model.example/v1/responses'), keySent: false, callPrefix },
    response,
  )
}

const message = (...content: Data[]) => ({ type: 'message', role: 'assistant', content })

describe('parseResponse', () => {
  test('returns the text of each message, and leaves out other parts and items', () => {
    const output = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
      message({ type: 'output_text', text: 'One ' }, { type: 'image' }, { type: 'output_text', text: 'two' }),
      message({ type: 'output_text', text: 'three' }),
      null,
    ]
    expect(read({ output })).toEqual({
      messages: [
        { role: 'assistant', content: 'One two' },
        { role: 'assistant', content: 'three' },
      ],
      openCalls: [],
      providerCalls: [],
      finishReason: 'stop',
      usage: {},
      awaitingInput: false,
      reasoning: [],
    })
  })

  test('uses a refusal as the content', () => {
    const output = [message({ type: 'refusal', refusal: 'I cannot help.' })]
    expect(read({ output })).toMatchObject({
      messages: [{ content: 'I cannot help.' }],
      finishReason: 'stop',
    })
  })

  test('returns the thoughts that can be sent back', () => {
    const thought = { type: 'reasoning', id: 'rs_1', encrypted_content: 'abc' }
    expect(read({ output: [{ type: 'reasoning', id: 'rs_2' }, thought] }).reasoning).toEqual([thought])
  })

  test('leaves to the caller only the calls of functions without a result', () => {
    const output = [
      { type: 'web_search_call', id: 'ws', action: { query: 'x' } },
      { type: 'function_call', call_id: 'a', name: 'run', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: '{"ok":1}' },
      { type: 'function_call', call_id: 'b', name: 'open', arguments: '{}' },
    ]
    const { openCalls, providerCalls, messages, finishReason } = read({ output })
    expect(openCalls).toEqual([{ id: 'b', name: 'open', arguments: {} }])
    expect(providerCalls).toEqual([
      { id: 'ws', name: 'web_search', arguments: { query: 'x' } },
      { id: 'a', name: 'run', arguments: {}, result: { ok: 1 } },
    ])
    expect(messages[0]?.toolCalls).toEqual(providerCalls)
    expect(finishReason).toBe('tool_calls')
  })

  test.each([
    [{ reason: 'max_output_tokens' }, 'length'],
    [{ reason: 'content_filter' }, 'content_filter'],
    [{ reason: 'other' }, 'other'],
    [null, 'length'],
  ])('names why an incomplete response ended: %j', (incomplete_details, expected) => {
    expect(read({ output: [], status: 'incomplete', incomplete_details }).finishReason).toBe(expected)
  })

  test('numbers calls that came without an id, and accepts arguments as data', () => {
    const output = [
      { type: 'function_call', name: 'a', arguments: { x: 1 } },
      { type: 'function_call', name: 'b', call_id: 'own', arguments: '' },
      { type: 'function_call', name: 'c' },
    ]
    expect(read({ output }, 'call_3')).toMatchObject({
      openCalls: [
        { id: 'call_3_0', name: 'a', arguments: { x: 1 } },
        { id: 'own', name: 'b', arguments: {} },
        { id: 'call_3_2', name: 'c', arguments: {} },
      ],
    })
  })

  test('ignores impossible token counts', () => {
    const usage = { input_tokens: -1, output_tokens: 'many', input_tokens_details: { cached_tokens: 2 } }
    expect(read({ output: [], usage })).toMatchObject({ usage: { cachedTokens: 2 } })
  })

  test('says what is wrong with a response that cannot be read', () => {
    expect(() => read({})).toThrow('has no list `output`')
    expect(() => read({ output: [], status: 'queued' })).toThrow('is not finished (its status is "queued")')
    expect(() => read({ output: [{ type: 'mcp_call' }] })).toThrow('has a tool call without a name')
  })
})

test('the error of a response that failed is found, even if it names none', () => {
  expect(findResponseError({ status: 'failed', error: null })).toEqual({ message: 'the response is failed' })
  expect(findResponseError({ status: 'cancelled', error: { code: 'x' } })).toEqual({ code: 'x' })
  expect(findResponseError({ status: 'completed', error: null })).toBeUndefined()
})
