import { describe, expect, it } from 'vitest'
import type { Turn } from '../../results/transcript/turn.ts'
import type { Draft } from './draft.ts'
import { guardTools, listGuardCalls } from './guards.ts'

const result = { result: 1 }
const turn = { number: 1, isPinned: false, input: 'x' }
const draft = (more: Partial<Draft> = {}): Draft => ({
  history: [],
  turns: [turn],
  stubs: {},
  neverReal: ['pay', 'desk__look'],
  ...more,
})
const called = (name: string, stubbed = true) =>
  [
    { reply: { toolCalls: [{ id: '1', name, arguments: {}, ...(stubbed && { stubbed }) }] } },
  ] as unknown as Turn[]
const replayed = { turns: 0, messages: [] }

describe('guards', () => {
  it('every tool that must not be real is stubbed, with or without the name of its server', () => {
    const written = { id: 'T1', stubs: { look: result } }
    const { stubs } = guardTools(written, draft({ stubs: { look: result } }))
    expect(stubs).toEqual({ look: result, pay: { error: expect.stringContaining('left out') } })
  })

  it('a case with all of its stubs is played as it is written', () => {
    const stubs = { look: result, pay: result }
    const written = { id: 'T1', stubs }
    expect(guardTools(written, draft({ stubs }))).toBe(written)
  })

  it('a call of a guard is noticed, and one of a stub that the case or its turn has is not', () => {
    const calls = (of: Draft, turns: Turn[]) => listGuardCalls({ draft: of, replayed }, turns)
    expect(calls(draft(), called('shop__pay'))).toEqual(['pay'])
    expect(calls(draft(), called('other'))).toEqual([])
    expect(calls(draft(), called('pay', false))).toEqual([])
    expect(calls(draft({ stubs: { pay: result } }), called('pay'))).toEqual([])
    expect(calls(draft({ turns: [{ ...turn, stubs: { pay: result } }] }), called('pay'))).toEqual([])
  })
})
