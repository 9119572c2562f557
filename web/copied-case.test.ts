import { describe, expect, it } from 'vitest'
import { cutStrings } from '../src/reporters/cut-strings.ts'
import { copiedCase } from './copied-case.ts'
import type { PageResult } from './report-data.ts'
import { createResult, createTurn } from './result.fixture.ts'

function conversation(...inputs: unknown[]): PageResult {
  const turns = inputs.map((input, index) => createTurn(index + 1, { input }))
  return createResult({ mode: 'multi_turn', turns, total_turns: turns.length })
}

describe('copiedCase', () => {
  it('repeats the conversation on one line', () => {
    expect(copiedCase(createResult({ input: 'hi\nthere' }))).toEqual({
      text: '{"id":"T1","input":"hi\\nthere"}\n',
    })
  })

  it('omits a skipped turn', () => {
    const skipped = { turn: 2, status: 'skipped', skip_reason: 'nobody answered' } as const
    const result = createResult({ mode: 'multi_turn', turns: [createTurn(1), skipped], total_turns: 1 })
    expect(copiedCase(result)).toEqual({ text: '{"id":"T1","turns":[{"input":"message 1"}]}\n' })
  })

  it.each<[string, PageResult]>([
    ['an input was not recorded', createResult({ input: '[not recorded]' })],
    ['a later input was not recorded', conversation('hi', '[not recorded]')],
    ['a part of an input is masked', conversation('hi', { mail: 'to [masked], please' })],
    ['an input has a secret in it', createResult({ input: 'the key is [redacted]' })],
    [
      'its history was not recorded',
      createResult({ history: [{ role: 'user', content: '[not recorded]' }] }),
    ],
  ])('is incomplete when %s', (_, result) => {
    expect(copiedCase(result)).toEqual({
      missing: 'part of the conversation was not recorded or is redacted',
    })
  })

  it('is incomplete when a text was cut', () => {
    const result = cutStrings(createResult({ input: 'x'.repeat(300) }), 200)
    expect(copiedCase(result)).toEqual({ missing: 'some of its text was too long for this report' })
  })

  it.each<[string, PageResult]>([
    ['of its one turn', createResult({ assertions_not_evaluated: ['contains'] })],
    ['of a turn', createResult({ turns: [createTurn(1, { assertions_not_evaluated: ['contains'] })] })],
    ['at its end', createResult({ final_assertions_not_evaluated: ['contains'] })],
  ])('is incomplete when checks %s were not evaluated, because it would pass unchecked', (_, result) => {
    expect(copiedCase(result)).toEqual({
      missing: 'some of its checks were not evaluated and are not in the result',
    })
  })

  it('is missing without a conversation, and undefined for a script test', () => {
    expect(copiedCase(createResult({ total_turns: 0 }))).toEqual({ missing: 'there was no conversation' })
    expect(copiedCase(createResult({ kind: 'script', total_turns: 0 }))).toBeUndefined()
  })
})
