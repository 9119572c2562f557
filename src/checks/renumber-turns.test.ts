import { describe, expect, it } from 'vitest'
import type { Where } from './definition.ts'
import type { NestedAssertion } from './group.ts'
import { moveTurns, namedTurns, renumberTurns } from './renumber-turns.ts'

const contains = { type: 'contains', value: 'x' }
const called = { type: 'tool_called', name: 'place' }
/** The first two turns are history now. */
const twoLess = { unplayed: 2, by: -2 }

describe('renumberTurns', () => {
  it.each<[string, NestedAssertion, Where]>([
    ['an assertion of its own turn', contains, 'turn'],
    ['a tool call in its own turn', called, 'turn'],
    ['a final assertion on the last reply', contains, 'final'],
    ['a final assertion on the last turn', { ...called, scope: 'last' }, 'final'],
    ['a group of such assertions', { type: 'all_of', assertions: [contains, contains] }, 'final'],
  ])('%s stays as it is', (_, assertion, where) => {
    expect(renumberTurns(assertion, where, twoLess)).toEqual(assertion)
  })

  it.each<[string, NestedAssertion, Where]>([
    ['an assertion on a turn that is history', { ...contains, turn: 2 }, 'final'],
    ['a final assertion on the tools of all turns', called, 'final'],
    ['an assertion on any turn so far', { ...contains, scope: 'any' }, 'turn'],
    ['a group with one of them', { type: 'any_of', assertions: [contains, called] }, 'final'],
    [
      'a group with one that names a turn',
      { type: 'any_of', assertions: [{ ...contains, turn: 1 }] },
      'turn',
    ],
  ])('%s cannot be made', (_, assertion, where) => {
    expect(renumberTurns(assertion, where, twoLess)).toBeUndefined()
  })

  it('a turn that is played gets its new number, in groups too', () => {
    const group = { type: 'all_of', assertions: [{ ...contains, turn: 3 }] }
    expect(renumberTurns({ ...called, turn: 5 }, 'final', twoLess)).toEqual({ ...called, turn: 3 })
    expect(renumberTurns(group, 'final', twoLess)).toMatchObject({ assertions: [{ turn: 1 }] })
    expect(renumberTurns({ ...contains, turn: 1 }, 'turn', { unplayed: 0, by: 2 })).toMatchObject({ turn: 3 })
  })

  it('a group on a turn that is played only looks at that turn', () => {
    const group = { type: 'all_of', turn: 4, assertions: [called] }
    expect(renumberTurns(group, 'final', twoLess)).toEqual({ ...group, turn: 2 })
  })

  it('everything stays when all turns are played', () => {
    for (const assertion of [called, { ...contains, scope: 'any' as const }, { ...contains, turn: 1 }])
      expect(renumberTurns(assertion, 'final', { unplayed: 0, by: 0 })).toEqual(assertion)
  })
})

describe('moveTurns', () => {
  const group = { type: 'all_of', turn: 7, assertions: [{ ...contains, turn: 4 }, contains] }

  it('all turns that an assertion names are known, in groups too', () => {
    expect(namedTurns(group)).toEqual([7, 4])
    expect(namedTurns(contains)).toEqual([])
  })

  it('they get their new numbers, and the rest stays as it is', () => {
    const numbers = new Map([
      [4, 1],
      [7, 2],
    ])
    expect(moveTurns(group, numbers)).toEqual({
      type: 'all_of',
      turn: 2,
      assertions: [{ ...contains, turn: 1 }, contains],
    })
    expect(moveTurns(called, numbers)).toEqual(called)
  })
})
