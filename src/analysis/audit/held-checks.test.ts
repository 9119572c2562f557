import { describe, expect, it } from 'vitest'
import { caseResult } from '../../results/result.fixture.ts'
import type { CheckResult } from '../../results/transcript/check-result.ts'
import { listPassedChecks } from './held-checks.ts'

const check = (type: string, fields: Record<string, unknown> = {}): CheckResult => ({
  type,
  status: 'passed',
  gates: true,
  reason: 'so it is',
  fields,
})

const negative = (...args: Parameters<typeof check>) =>
  listPassedChecks(caseResult({ finals: [check(...args)] }))[0]?.negative

describe('heldChecks', () => {
  it('lists checks with their place and reason', () => {
    const checkpoints = [
      {
        id: 'asked',
        required: true,
        forbidden: false,
        turn: 2,
        status: 'passed' as const,
        reason: 'it has "?"',
      },
      { id: 'paid', required: false, forbidden: true, status: 'failed' as const, reason: 'no call' },
      { id: 'thanked', required: false, forbidden: false, turn: 1, status: 'passed' as const, reason: 'yes' },
    ]
    const finals = [check('contains', { value: 'x' }), { ...check('regex'), gates: false }]
    expect(listPassedChecks(caseResult({ singleTurn: false, finals, checkpoints }))).toEqual([
      { check: 'at the end: contains "x"', reason: 'so it is', negative: false },
      { check: 'checkpoint asked', reason: 'reached at turn 2: it has "?"', negative: false },
      { check: 'checkpoint paid (forbidden)', reason: 'it was not reached', negative: true },
    ])
  })

  it.each([
    ['contains', {}, false],
    ['contains', { negate: true }, true],
    ['not_contains', {}, true],
    ['not_contains', { negate: true }, false],
    ['tool_not_called', {}, true],
    ['latency', { max: '2s' }, true],
    ['length', { max: 50 }, true],
    ['length', { min: 1, max: 50 }, false],
    ['all_of', { assertions: [{ type: 'not_contains' }, { type: 'contains' }] }, false],
    ['all_of', { assertions: [{ type: 'not_contains' }, { type: 'cost' }] }, true],
    ['any_of', { assertions: [{ type: 'not_contains' }, { type: 'contains' }] }, true],
  ])('%s %j is negative: %s', (type, fields, expected) => {
    expect(negative(type, fields)).toBe(expected)
  })
})
