import { describe, expect, it } from 'vitest'
import { type HttpAgentConfig, httpAgentSchema } from '../../project/http-agent-schema.ts'
import { mapAnswer } from './http-mapping.ts'

function mapToolCalls(toolCalls: unknown, call: object) {
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

describe('mapAnswer with tool calls', () => {
  it('has none where the path finds null, an empty list, or nothing at all with "?"', () => {
    expect(mapToolCalls('$.calls[0].actions', { actions: null })).toEqual([])
    expect(mapToolCalls('$.calls[0].actions', { actions: [] })).toEqual([])
    expect(mapToolCalls('$.calls[0].actions?', {})).toEqual([])
    expect(() => mapToolCalls('$.calls[0].actions', {})).toThrow('response.tool_calls')
  })

  it.each([
    [{ name: 'pay', arguments: { a: 1 } }],
    [{ name: 'pay', args: { a: 1 } }],
    [{ name: 'pay', args: '{"a":1}' }],
    [{ name: 'pay', arguments: '{"a":1}' }],
  ])('reads the arguments of %j with a path mapping and with a mapping per field', (call) => {
    const expected = [{ id: 'call_1', name: 'pay', arguments: { a: 1 } }]
    expect(mapToolCalls('$.calls', call)).toEqual(expected)
    expect(mapToolCalls({ path: '$.calls', name: 'name' }, call)).toEqual(expected)
  })

  it('reads only the arguments that the mapping names', () => {
    const mapping = { path: '$.calls', name: 'name', arguments: 'with' }
    expect(mapToolCalls(mapping, { name: 'pay', with: { b: 2 }, args: { a: 1 } })).toMatchObject([
      { arguments: { b: 2 } },
    ])
    expect(() => mapToolCalls(mapping, { name: 'pay', args: { a: 1 } })).toThrow('nothing at with')
  })
})
