import { describe, expect, it } from 'vitest'
import { listChanges } from './changes.ts'

describe('listChanges', () => {
  it('names every place in which two values differ', () => {
    const recorded = { messages: [{ content: 'a' }, { content: 'b' }], settings: { seed: 1 } }
    const now = { messages: [{ content: 'a' }, { content: 'c' }], tools: [] }
    expect(listChanges(recorded, now, 10)).toEqual([
      { path: 'messages[1].content', recorded: 'b', now: 'c' },
      { path: 'settings', recorded: { seed: 1 }, now: undefined },
      { path: 'tools', recorded: undefined, now: [] },
    ])
  })

  it('quotes names that are no words, and stops at the limit', () => {
    expect(listChanges({ 'a.b': 1, c: 1 }, { 'a.b': 2, c: 2 }, 1)).toEqual([
      { path: '"a.b"', recorded: 1, now: 2 },
    ])
  })
})
