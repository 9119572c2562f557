import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../results/transcript/message.ts'
import { matchCalls, mergeCalls } from './merge-calls.ts'

const call = (id: string, name: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name,
  arguments: {},
  ...more,
})

const merge = (reported: ToolCall[], seen: ToolCall[]) =>
  mergeCalls(reported, seen, matchCalls(reported, seen))

describe('the calls that an agent reports', () => {
  it('are matched by id before they are matched by name', () => {
    const seen = [call('b', 'lookUp', { result: 2 }), call('a', 'lookUp', { result: 1 })]
    const reported = [call('call_1', 'lookUp'), call('b', 'lookUp')]
    expect(merge(reported, seen).map(({ id, result }) => [id, result])).toEqual([
      ['call_1', 1],
      ['b', 2],
    ])
  })

  it('match each seen call only once', () => {
    const reported = [call('call_1', 'refund'), call('call_2', 'refund')]
    const matches = matchCalls(reported, [call('x', 'refund')])
    expect([...matches.keys()].map(({ id }) => id)).toEqual(['call_1'])
  })

  it('do not match a call of another tool with the same id', () => {
    expect(matchCalls([call('call_1', 'refund')], [call('call_1', 'lookUp')]).size).toBe(0)
  })

  it('are listed together with those that they leave out, in the order in which viva has seen them', () => {
    const seen = ['one', 'two', 'three', 'four'].map((name) => call(`seen ${name}`, name, { stubbed: true }))
    const reported = [call('call_1', 'two'), call('call_2', 'own'), call('call_3', 'three')]
    const merged = merge(reported, seen)
    expect(merged.map(({ name }) => name)).toEqual(['one', 'two', 'own', 'three', 'four'])
    expect(merged.filter(({ stubbed }) => stubbed)).toHaveLength(4)
  })

  it('keep the result or error that the agent reports', () => {
    const seen = [call('a', 'lookUp', { result: { status: 'lost' } })]
    expect(merge([call('a', 'lookUp', { error: 'closed' })], seen)).toEqual([
      call('a', 'lookUp', { error: 'closed' }),
    ])
  })
})
