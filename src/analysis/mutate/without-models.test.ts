import { describe, expect, it } from 'vitest'
import type { AuthoredCase } from '../../cases/case-schema.ts'
import { findModelChecks, withoutModelChecks } from './without-models.ts'

const says = { type: 'contains', value: 'a' } as const
const judge = { type: 'judge', criteria: 'It is polite' } as const

describe('checks that ask models', () => {
  it.each<[string, Partial<AuthoredCase>, number, boolean]>([
    ['a judge alone', { assert: judge }, 1, true],
    ['a judge beside another check', { assert: [says, judge] }, 1, false],
    ['a judge in a group', { assert: { type: 'any_of', assertions: [says, judge] } }, 1, true],
    ['a validator', { assert: { type: 'agent', use: 'critic' } }, 1, true],
    ['a validator that is a script', { assert: { type: 'agent', use: 'scripts:critic' } }, 0, false],
    ['embeddings', { assert: { type: 'similar', value: 'a', method: 'embedding', connector: 'e' } }, 1, true],
    ['similar words', { assert: { type: 'similar', value: 'a' } }, 0, false],
    ['a judge beside what is expected', { expected: 'a', final_assertions: [judge] }, 1, false],
    ['a judge that does not decide', { assert: [says, { ...judge, gates: false }] }, 0, false],
    [
      'a condition in words',
      { turns: [{ input: 'Hi' }], terminate_when: [{ type: 'natural_language', prompt: 'done?' }] },
      1,
      true,
    ],
    [
      'a checkpoint',
      { turns: [{ input: 'Hi', assert: says }], checkpoints: [{ id: 'c', assert: judge }] },
      1,
      false,
    ],
    ['nothing', {}, 0, false],
  ])('are counted: %s', (_what, written, count, only) => {
    expect(findModelChecks({ id: 'a', input: 'Hi', ...written })).toEqual({ count, only })
  })

  it('are replaced by nothing that decides, so that what is expected does not come into force', () => {
    const changed = withoutModelChecks({ id: 'a', input: 'Hi', expected: 'b', assert: [says, judge] })
    expect(changed.assert).toEqual([says, { type: 'awaiting_input', value: true, gates: false }])
    expect(changed.expected).toBe('b')
  })

  it('leave conditions that need none', () => {
    const after = { type: 'after_turns', turns: 3 } as const
    const changed = withoutModelChecks({
      id: 'a',
      turns: [{ input: 'Hi' }],
      terminate_when: [{ type: 'natural_language', prompt: 'done?' }, after],
    })
    expect(changed.terminate_when).toEqual([after])
  })
})
