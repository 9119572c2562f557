import { describe, expect, it } from 'vitest'
import { validationProblems } from './conversation.fixture.ts'

const emptyText = 'every text contains the empty text'

describe('a check that cannot fail is rejected:', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ type: 'contains', value: '' }, `value: ${emptyText}`],
    [{ type: 'not_contains', value: '' }, `value: ${emptyText}`],
    [{ type: 'contains_any', value: ['refund', ''] }, `value.1: ${emptyText}`],
    [{ type: 'contains_all', value: [''] }, `value.0: ${emptyText}`],
    [{ type: 'tool_result', name: 'pay', contains: '' }, `contains: ${emptyText}`],
    [
      { type: 'similar', value: 'a', threshold: 0 },
      'threshold: "threshold" must be more than 0, which every text reaches',
    ],
    [{ type: 'length', min: 0 }, 'min: every text has at least 0'],
    [{ type: 'length', min: 0, unit: 'words' }, 'min: every text has at least 0'],
  ])('%j', (assertion, problem) => {
    expect(validationProblems(assertion)).toEqual([problem])
  })

  it.each(['x*', '.*', '^', '$', '(?i)sorry|', '^(yes|no)?', '[\\s\\S]*', '^$|(?s).'])(
    'regex %s',
    (pattern) => {
      expect(validationProblems({ type: 'regex', pattern })).toEqual([
        `pattern: every text matches /${pattern}/, because it matches the empty text`,
      ])
    },
  )
})

describe('a check that can fail is accepted:', () => {
  it.each([
    { type: 'equals', value: '' },
    { type: 'length', min: 0, max: 3 },
    { type: 'length', min: 0, unit: 'items' },
    { type: 'length', equals: 0 },
    { type: 'similar', value: 'a', threshold: 0.01 },
    ...['^$', '^\\s*$', '^[^<]*$', '^$|a', '^.{0,1000}$', '(?s)^.{0,1000}$', '^$|refund', '^[^é]*$'].map(
      (pattern) => ({ type: 'regex', pattern }),
    ),
  ])('%j', (assertion) => {
    expect(validationProblems(assertion)).toEqual([])
  })
})
