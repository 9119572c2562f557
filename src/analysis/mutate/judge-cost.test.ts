import { describe, expect, it } from 'vitest'
import type { AuthoredCase } from '../../cases/case-schema.ts'
import { countModelCalls } from './judge-cost.ts'

const judge = { type: 'judge', criteria: 'It is polite' } as const
const says = { type: 'contains', value: 'a' } as const

describe('the most calls of models in a conversation of five turns', () => {
  it.each<[string, Partial<AuthoredCase>, number]>([
    ['no model', { assert: says }, 0],
    ['a judge, who may be asked again', { assert: judge }, 2],
    ['samples', { assert: [says, { ...judge, samples: 3 }] }, 6],
    ['a judge that does not decide', { assert: { ...judge, gates: false } }, 2],
    ['a group', { assert: { type: 'any_of', assertions: [judge, says, { ...judge, samples: 2 }] } }, 6],
    ['a judge of each turn', { final_assertions: [{ ...judge, scope: 'all' }] }, 10],
    ['a checkpoint', { checkpoints: [{ id: 'c', assert: { ...judge, samples: 2 } }] }, 20],
    ['a condition', { terminate_when: [{ type: 'natural_language', prompt: 'Is it over?' }] }, 10],
  ])('are counted: %s', (_what, written, calls) => {
    expect(countModelCalls({ id: 'a', input: 'Hi', ...written }, 5)).toBe(calls)
  })
})
