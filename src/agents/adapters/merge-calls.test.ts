import { describe, expect, it } from 'vitest'
import type { ToolCall } from '../../results/transcript/message.ts'
import { matchCalls, mergeCalls } from './merge-calls.ts'

const call = (id: string, name: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name,
  arguments: {},
  ...more,
})

const merge = (reported: ToolCall[], seen: ToolCall[]) => mergeCalls(reported, seen, match(reported, seen))

/** All seen tools were offered. */
const match = (reported: ToolCall[], seen: ToolCall[]) =>
  matchCalls(
    reported,
    seen,
    seen.map(({ name }) => name),
  )

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
    const matches = match(reported, [call('x', 'refund')])
    expect([...matches.keys()].map(({ id }) => id)).toEqual(['call_1'])
  })

  it('do not match a call of another tool with the same id', () => {
    expect(match([call('call_1', 'refund')], [call('call_1', 'lookUp')]).size).toBe(0)
  })

  it.each(['orders.lookUp', 'orders__lookUp', 'orders.look_up'])(
    'match a seen call although they are reported as %s',
    (name) => {
      const reported = [call('call_1', name, { arguments: { id: 'A1' } })]
      const seen = [call('x', 'lookUp', { arguments: { id: 'A1' }, result: 'shipped', stubbed: true })]
      expect(merge(reported, seen)).toEqual([
        call('call_1', name, { arguments: { id: 'A1' }, result: 'shipped', stubbed: true }),
      ])
    },
  )

  it('match under another name only where nothing speaks against it', () => {
    const seen = [call('x', 'lookUp', { arguments: { id: 'A1' }, result: 'shipped' })]
    const named = (name: string, more: Partial<ToolCall>) => match([call('call_1', name, more)], seen).size
    expect(named('find', { arguments: { id: 'A1' }, result: 'shipped' })).toBe(1)
    expect(named('find', { arguments: { id: 'A1' }, result: 'lost' })).toBe(0)
    expect(named('find', { arguments: { id: 'B2' } })).toBe(0)
    const empty = [call('x', 'lookUp', { result: null })]
    expect(match([call('call_1', 'find', { result: null })], empty).size).toBe(0)
    const ofTwo = match(
      [call('call_1', 'b', { arguments: 1 })],
      [call('x', 'a', { arguments: 1 }), call('y', 'b')],
    )
    expect([...ofTwo.values()].map(({ name }) => name)).toEqual(['b'])
  })

  it('do not match a call that went well with one that failed before', () => {
    const good = call('call_2', 'lookUp', { arguments: { id: 'A1' }, result: 'shipped' })
    const reported = [call('call_1', 'lookUp', { error: 'id is missing' }), good]
    const seen = [call('x', 'lookUp', { arguments: { id: 'A1' }, result: 'shipped' })]
    expect([...match(reported, seen).keys()]).toEqual([good])
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
