import { describe, expect, it } from 'vitest'
import type { Reply } from '../transcript/reply.ts'
import { detectAwaiting } from './awaiting.ts'

function reply(content: string, rest: Partial<Reply> = {}): Reply {
  return { output: content, content, messages: [], toolCalls: [], ...rest }
}

describe('whether the agent waits for an answer', () => {
  it.each([
    ['What is the amount?', true],
    ['I can do that. Shall I proceed?', true],
    ['This requires approval. Please provide PO number.', true],
    ['金额是多少？', true],
    ['Done. Your reference is EXP-1.', false],
    ['You asked what counts as travel. Flights do.', false],
    ['', false],
  ])('%j: %s', (content, awaiting) => {
    expect(detectAwaiting(reply(content)).awaiting).toBe(awaiting)
  })

  it('is first what the agent declares', () => {
    expect(detectAwaiting(reply('Done.', { awaitingInput: true }))).toEqual({
      awaiting: true,
      reason: 'agent_declared',
    })
    expect(detectAwaiting(reply('Really?', { awaitingInput: false }))).toEqual({
      awaiting: false,
      reason: 'agent_declared',
    })
  })

  it('is then what its tools say', () => {
    const toolCalls = [{ id: '1', name: 'ask_user', arguments: {} }]
    expect(detectAwaiting(reply('Hm.', { toolCalls }))).toMatchObject({
      awaiting: true,
      reason: 'tool_requires_confirmation',
    })
  })

  it('is no when the reply was cut off or goes on with tools', () => {
    for (const finishReason of ['length', 'tool_calls']) {
      expect(detectAwaiting(reply('Really?', { finishReason }))).toMatchObject({
        awaiting: false,
        reason: 'finish_reason',
      })
    }
  })
})
