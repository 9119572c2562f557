import { describe, expect, it } from 'vitest'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { pageRow } from './page-data.ts'
import type { ShownOutcome } from './shown-result.ts'

function turnOf(content: unknown): Turn {
  return {
    number: 1,
    source: 'initial',
    input: { value: content, message: { role: 'user', content } },
    checks: [],
    awaiting: { awaiting: false, reason: 'completed' },
    durationMs: 1,
  }
}

function resultOf(fields: Partial<CaseResult> = {}): CaseResult {
  const key = { file: 'a.jsonl', id: 'T1', variant: 'support@large', run: 2, attempt: 3 }
  return caseResult({ key, durationMs: 12.6, ...fields })
}

describe('a row of the page', () => {
  it('has no more than there is to say', () => {
    expect(pageRow(resultOf())).toEqual({
      file: 'a.jsonl',
      id: 'T1',
      variant: 'support@large',
      run: 2,
      attempt: 3,
      outcome: 'passed',
      turns: 0,
      durationMs: 13,
    })
  })

  it('has what the table, the filters and the charts need', () => {
    const row = pageRow(
      resultOf({
        name: 'A refund',
        tags: ['smoke', 'slow'],
        status: 'failed',
        fault: 'agent',
        failure: { kind: 'timeout', message: 'too\nslow' },
        view: {
          history: [{ role: 'system', content: 'be kind' }],
          turns: [turnOf('My\nmoney!'), turnOf('x')],
        },
        retrying: true,
        flaky: true,
        unchecked: true,
        script: { assertions: 1, subtests: [] },
      }),
    )
    expect(row).toMatchObject({
      name: 'A refund',
      tags: ['smoke', 'slow'],
      outcome: 'failed',
      kind: 'timeout',
      reason: 'too ⏎ slow',
      opening: 'My ⏎ money!',
      turns: 2,
      retrying: true,
      flaky: true,
      unchecked: true,
      script: true,
    })
  })

  it('leaves out marks that do not hold', () => {
    const row = pageRow(resultOf({ flaky: false, retrying: false }))
    for (const mark of ['flaky', 'retrying', 'unchecked', 'script', 'tags', 'reason', 'opening'])
      expect(row).not.toHaveProperty(mark)
  })

  it('says so when it passed, though expected to fail', () => {
    const expectedFailure = 'see issue 1'
    expect(pageRow(resultOf({ expectedFailure })).unexpectedPass).toBe(true)
    const failed = resultOf({ expectedFailure, status: 'failed', fault: 'agent' })
    for (const result of [failed, resultOf()]) expect(pageRow(result)).not.toHaveProperty('unexpectedPass')
  })

  it.each<[Partial<CaseResult>, ShownOutcome]>([
    [{ status: 'passed' }, 'passed'],
    [{ status: 'failed', fault: 'agent' }, 'failed'],
    [{ status: 'failed', fault: 'agent', expectedFailure: 'see issue 1' }, 'known'],
    [{ status: 'failed', fault: 'infrastructure', expectedFailure: 'see issue 1' }, 'broken'],
    [{ status: 'failed', fault: 'viva' }, 'broken'],
    [{ status: 'skipped' }, 'skipped'],
    [{ status: 'interrupted' }, 'unfinished'],
    [{ status: 'not_run' }, 'unfinished'],
  ])('of %j came to %s', (fields, outcome) => {
    expect(pageRow(resultOf(fields)).outcome).toBe(outcome)
  })

  it.each<[string, unknown, string | undefined]>([
    ['its text', 'hi', 'hi'],
    [
      'the text of its parts, with a word for others',
      [
        { type: 'text', text: 'look: ' },
        { type: 'image', source: 'data:image/png;base64,AAAA' },
      ],
      'look: [image]',
    ],
    ['data as JSON', { city: 'Rome' }, '{"city":"Rome"}'],
    ['nothing where there is no text', ' \n ', undefined],
    ['nothing that acts on whoever reads it', 'a\u202eb', 'a\\u{202e}b'],
  ])('opens with %s', (_, content, opening) => {
    expect(pageRow(resultOf({ view: { history: [], turns: [turnOf(content)] } })).opening).toBe(opening)
  })

  it('stays small, however much was said', () => {
    const long = 'x'.repeat(1_000_000)
    const row = pageRow(
      resultOf({
        status: 'failed',
        failure: { kind: 'assertion', message: long },
        view: { history: [], turns: [turnOf(long)] },
      }),
    )
    expect(row.reason).toBe(`${'x'.repeat(300)}…`)
    expect(row.opening).toBe(`${'x'.repeat(160)}…`)
  })

  it('has the tokens of all roles, in and out', () => {
    const usage = {
      agent: { calls: 1, retries: 0, inputTokens: 100, outputTokens: 20, cachedTokens: 50, cost: 0.5 },
      judge: { calls: 1, retries: 0, inputTokens: 3, cost: 0.25 },
    }
    expect(pageRow(resultOf({ usage }))).toMatchObject({ tokens: 123, cost: 0.75 })
  })

  it('tells nothing of tokens and cost where nobody told', () => {
    const row = pageRow(resultOf({ usage: { agent: { calls: 1, retries: 0 } } }))
    expect(row).not.toHaveProperty('tokens')
    expect(row).not.toHaveProperty('cost')
  })

  it('tells no tokens apart from nobody having counted them', () => {
    const usage = { agent: { calls: 1, retries: 0, inputTokens: 0, outputTokens: 0 } }
    expect(pageRow(resultOf({ usage })).tokens).toBe(0)
  })

  it('has no cost where that of one call is not known', () => {
    const usage = {
      agent: { calls: 2, retries: 0, cost: 0.5, unpricedCalls: 1 },
      judge: { calls: 1, retries: 0, cost: 0.25 },
    }
    expect(pageRow(resultOf({ usage }))).not.toHaveProperty('cost')
  })
})
