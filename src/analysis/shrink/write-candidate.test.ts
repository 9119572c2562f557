import { describe, expect, it } from 'vitest'
import type { Draft } from './draft.ts'
import { type CaseFrame, writeCandidate } from './write-candidate.ts'

const nothing = { turns: 0, messages: [] }
const draft = (inputs: readonly unknown[], numbers = inputs.map((_, index) => index + 1)): Draft => ({
  history: [],
  turns: inputs.map((input, index) => ({ number: numbers[index] ?? 0, isPinned: false, input })),
  stubs: {},
  neverReal: [],
})
const frame = (more: Partial<CaseFrame> = {}): CaseFrame => ({
  head: { id: 'T1' },
  tail: { on_missing_input: 'end' },
  ...more,
})
const contains = { type: 'contains', value: 'a' }

describe('writeCandidate', () => {
  it('the check of a turn stays with its turn', () => {
    const check = { where: 'turn', assertion: contains, turn: 7 } as const
    expect(writeCandidate({ draft: draft(['x', 'y'], [2, 7]), replayed: nothing }, frame({ check }))).toEqual(
      {
        id: 'T1',
        turns: [{ input: 'x' }, { input: 'y', assert: contains }],
        on_missing_input: 'end',
      },
    )
  })

  it('stubs that cannot be left out are in every case', () => {
    const one = { ...draft(['x']), stubs: { pay: { result: 1 } } }
    const stubs = { 'scripts.files.Put': { result: 2 } }
    const written = writeCandidate({ draft: one, replayed: nothing }, frame({ stubs }))
    expect(written.stubs).toEqual({ ...one.stubs, ...stubs })
  })

  it('a final check names the turns by their new numbers', () => {
    const group = { type: 'all_of', assertions: [{ ...contains, turn: 2 }, contains] }
    const check = { where: 'final', assertion: { ...group, turn: 7 } } as const
    const written = writeCandidate({ draft: draft(['x', 'y'], [2, 7]), replayed: nothing }, frame({ check }))
    expect(written.final_assertions).toEqual({
      type: 'all_of',
      turn: 2,
      assertions: [{ ...contains, turn: 1 }, contains],
    })
  })

  it('replayed turns are history, and the others are counted from the first that is sent', () => {
    const check = { where: 'final', assertion: { ...contains, turn: 3 } } as const
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'X' },
    ]
    const candidate = { draft: draft(['x', 'y', 'z']), replayed: { turns: 1, messages } }
    expect(writeCandidate(candidate, frame({ check }))).toMatchObject({
      messages,
      turns: [{ input: 'y' }, { input: 'z' }],
      final_assertions: { turn: 2 },
    })
  })

  it('a history that ends with the user takes the first turn, and its check', () => {
    const history = [{ role: 'user', content: 'before' }]
    const check = { where: 'turn', assertion: contains, turn: 1 } as const
    const written = writeCandidate(
      { draft: { ...draft(['x']), history, stubs: { tool: { result: 1 } } }, replayed: nothing },
      frame({ check }),
    )
    expect(written).toEqual({
      id: 'T1',
      messages: [...history, { role: 'user', content: 'x' }],
      assert: contains,
      on_missing_input: 'end',
      stubs: { tool: { result: 1 } },
    })
  })
})
