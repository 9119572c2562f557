import { describe, expect, it } from 'vitest'
import { cutStrings } from '../src/reporters/cut-strings.ts'
import { copiedCase } from './copied-case.ts'
import type { PageResult } from './report-data.ts'
import { resultOf, turnOf } from './result.fixture.ts'

function talkOf(...inputs: unknown[]): PageResult {
  const turns = inputs.map((input, index) => turnOf(index + 1, { input }))
  return resultOf({ mode: 'multi_turn', turns, total_turns: turns.length })
}

describe('a case that is copied', () => {
  it('says again what was said, on one line', () => {
    expect(copiedCase(resultOf({ input: 'hi\nthere' }))).toEqual({
      text: '{"id":"T1","input":"hi\\nthere"}\n',
    })
  })

  it('leaves out a turn that was skipped', () => {
    const skipped = { turn: 2, status: 'skipped', skip_reason: 'nobody answered' } as const
    const result = resultOf({ mode: 'multi_turn', turns: [turnOf(1), skipped], total_turns: 1 })
    expect(copiedCase(result)).toEqual({ text: '{"id":"T1","turns":[{"input":"message 1"}]}\n' })
  })

  it.each<[string, PageResult]>([
    ['an input was not recorded', resultOf({ input: '[not recorded]' })],
    ['a later input was not recorded', talkOf('hi', '[not recorded]')],
    ['a part of an input is masked', talkOf('hi', { mail: 'to [masked], please' })],
    ['a secret was in it', resultOf({ input: 'the key is [redacted]' })],
    ['its history was not recorded', resultOf({ history: [{ role: 'user', content: '[not recorded]' }] })],
  ])('is not whole when %s', (_, result) => {
    expect(copiedCase(result)).toEqual({ missing: 'some of what was said is not recorded or hidden' })
  })

  it('is not whole when a text of it was cut', () => {
    const result = cutStrings(resultOf({ input: 'x'.repeat(300) }), 200)
    expect(copiedCase(result)).toEqual({ missing: 'some of its text was too long for this report' })
  })

  it.each<[string, PageResult]>([
    ['of its one turn', resultOf({ assertions_not_evaluated: ['contains'] })],
    ['of a turn', resultOf({ turns: [turnOf(1, { assertions_not_evaluated: ['contains'] })] })],
    ['at its end', resultOf({ final_assertions_not_evaluated: ['contains'] })],
  ])('is not whole when checks %s were not evaluated: it would pass unchecked', (_, result) => {
    expect(copiedCase(result)).toEqual({
      missing: 'some of its checks were not evaluated, and are not in the result',
    })
  })

  it('is none of what said nothing, and not even asked for of a script test', () => {
    expect(copiedCase(resultOf({ total_turns: 0 }))).toEqual({ missing: 'nothing was said' })
    expect(copiedCase(resultOf({ kind: 'script', total_turns: 0 }))).toBeUndefined()
  })
})
