import { describe, expect, it } from 'vitest'
import { type HttpAgentConfig, httpAgentSchema } from '../../project/http-agent-schema.ts'
import { mapAnswer } from './http-mapping.ts'

function toolCallsOf(toolCalls: unknown, call: object) {
  const config = { url: 'http://x.example', response: { content: 'text', tool_calls: toolCalls } }
  const agent: HttpAgentConfig = httpAgentSchema.parse(config)
  const whole = { text: 'ok', calls: [call] }
  const answer = {
    from: 'x',
    whole,
    raw: '',
    isStream: false,
    find: (path: (data: unknown) => never) => path(whole),
  }
  return mapAnswer(agent, answer).reply.toolCalls
}

describe('tool calls in the answer of an HTTP agent', () => {
  it.each([
    [{ name: 'pay', arguments: { a: 1 } }],
    [{ name: 'pay', args: { a: 1 } }],
    [{ name: 'pay', args: '{"a":1}' }],
    [{ name: 'pay', arguments: '{"a":1}' }],
  ])('have the arguments of %j whether the mapping is a path or one for each part', (call) => {
    const expected = [{ id: 'call_1', name: 'pay', arguments: { a: 1 } }]
    expect(toolCallsOf('$.calls', call)).toEqual(expected)
    expect(toolCallsOf({ path: '$.calls', name: 'name' }, call)).toEqual(expected)
  })

  it('have the arguments that the mapping names, and no others', () => {
    const mapping = { path: '$.calls', name: 'name', arguments: 'with' }
    expect(toolCallsOf(mapping, { name: 'pay', with: { b: 2 }, args: { a: 1 } })).toMatchObject([
      { arguments: { b: 2 } },
    ])
    expect(() => toolCallsOf(mapping, { name: 'pay', args: { a: 1 } })).toThrow('nothing at with')
  })
})
