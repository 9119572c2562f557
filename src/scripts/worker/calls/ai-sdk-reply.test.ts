import { describe, expect, it } from 'vitest'
import { aiSdkReply, readModelReply } from './ai-sdk-reply.ts'

const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'file', input: { amount: 3 } }
const totalUsage = { inputTokens: 6, outputTokens: 4 }

describe('the reply of an AI SDK agent', () => {
  it('has the tool exchanges of all steps, and the text of the last', () => {
    const steps = [
      {
        content: [
          { type: 'text', text: 'One moment.' },
          call,
          { ...call, type: 'tool-result', output: { id: 'E1' } },
        ],
      },
      {
        content: [
          { type: 'reasoning', text: 'hm' },
          { type: 'text', text: 'Fil' },
          { type: 'text', text: 'ed.' },
        ],
      },
    ]
    const made = { id: 'c1', name: 'file', arguments: { amount: 3 }, result: { id: 'E1' } }
    expect(aiSdkReply({ steps, output: 'Filed.', totalUsage, finishReason: 'stop' })).toEqual({
      content: 'Filed.',
      output: 'Filed.',
      tool_calls: [made],
      messages: [
        { role: 'assistant', content: 'One moment.', tool_calls: [made] },
        { role: 'tool', tool_call_id: 'c1', content: { id: 'E1' } },
        { role: 'assistant', content: 'Filed.' },
      ],
      finish_reason: 'stop',
      usage: { inputTokens: 6, outputTokens: 4 },
    })
  })

  it('has the error of a failed tool', () => {
    const failed = { ...call, type: 'tool-error', error: new Error('no money') }
    const { messages, tool_calls } = aiSdkReply({ steps: [{ content: [call, failed] }] })
    expect(tool_calls).toMatchObject([{ id: 'c1', error: 'no money' }])
    expect(messages).toMatchObject([{}, { role: 'tool', content: 'Error: no money' }])
  })

  it('waits for the user when a call must be approved', () => {
    const request = { type: 'tool-approval-request', approvalId: 'a', toolCall: call }
    const reply = aiSdkReply({ steps: [{ content: [call, request] }], finishReason: 'tool-calls' })
    expect(reply).toMatchObject({ awaiting_input: true, finish_reason: 'tool_calls' })
    expect(reply.messages).toHaveLength(1)
  })

  it('has no output when there is none', () => {
    const result = {
      steps: [{ content: [{ type: 'text', text: 'hi' }] }],
      get output(): never {
        throw new Error('No output generated.')
      },
    }
    expect(aiSdkReply(result)).toMatchObject({ content: 'hi', output: undefined })
  })

  it('has the usage of each step, with the model that answered', () => {
    const step = (modelId: string, inputTokens: number) => ({
      content: [],
      usage: { inputTokens, outputTokens: 1, raw: { anything: () => 1 } },
      response: { modelId },
    })
    const { usage } = aiSdkReply({ steps: [step('small', 2), step('large', 4)], totalUsage })
    expect(usage).toEqual([
      { model: 'small', inputTokens: 2, outputTokens: 1 },
      { model: 'large', inputTokens: 4, outputTokens: 1 },
    ])
  })

  it('must have steps', () => {
    expect(() => aiSdkReply('hi')).toThrow('answered without `steps`')
  })
})

describe('the reply of an AI SDK model', () => {
  const content = [
    { type: 'text', text: 'hi' },
    { ...call, input: '{"amount":3}' },
  ]

  it('is read in specification 3', () => {
    const reply = readModelReply({
      content,
      finishReason: { unified: 'tool-calls', raw: 'tool_use' },
      usage: { inputTokens: { total: 6, cacheRead: 5 }, outputTokens: { total: 4 } },
    })
    expect(reply).toMatchObject({
      content: 'hi',
      tool_calls: [{ id: 'c1', name: 'file', arguments: '{"amount":3}' }],
      finish_reason: 'tool_calls',
      usage: { inputTokens: { total: 6, cacheRead: 5 }, outputTokens: { total: 4 } },
    })
  })

  it('is read in specification 2', () => {
    const reply = readModelReply({
      content,
      finishReason: 'content-filter',
      usage: { ...totalUsage, cachedInputTokens: 1 },
    })
    expect(reply).toMatchObject({
      finish_reason: 'content_filter',
      usage: { inputTokens: 6, outputTokens: 4, cachedInputTokens: 1 },
    })
  })

  it('names the model that answered, or else the one that was asked', () => {
    const usage = { inputTokens: 6, outputTokens: 4 }
    expect(readModelReply({ content, usage }, 'asked').usage).toMatchObject({ model: 'asked' })
    const answered = { content, usage, response: { modelId: 'answered' } }
    expect(readModelReply(answered, 'asked').usage).toMatchObject({ model: 'answered' })
  })

  it('has the results of tools that the provider runs', () => {
    const found = { ...call, type: 'tool-result', result: ['a'] }
    expect(readModelReply({ content: [call, found] }).tool_calls).toMatchObject([{ result: ['a'] }])
    const failed = { ...found, result: { code: 7 }, isError: true }
    expect(readModelReply({ content: [call, failed] }).tool_calls).toMatchObject([{ error: '{"code":7}' }])
  })

  it('must have content, which image models do not', () => {
    expect(() => readModelReply({ images: [] })).toThrow('is it a language model?')
  })
})
