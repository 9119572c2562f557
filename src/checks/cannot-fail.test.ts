import { describe, expect, it } from 'vitest'
import { problemsOf } from './conversation.fixture.ts'

const emptyText = 'every text contains an empty one'

describe('a check that cannot fail is refused:', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ type: 'contains', value: '' }, `value: ${emptyText}`],
    [{ type: 'not_contains', value: '' }, `value: ${emptyText}`],
    [{ type: 'contains_any', value: ['refund', ''] }, `value.1: ${emptyText}`],
    [{ type: 'contains_all', value: [''] }, `value.0: ${emptyText}`],
    [{ type: 'tool_result', name: 'pay', contains: '' }, `contains: ${emptyText}`],
    [
      { type: 'similar', value: 'a', threshold: 0 },
      'threshold: every text is 0 similar: "threshold" must be more',
    ],
    [{ type: 'length', min: 0 }, 'min: every text has 0 or more'],
    [{ type: 'length', min: 0, unit: 'words' }, 'min: every text has 0 or more'],
  ])('%j', (assertion, problem) => {
    expect(problemsOf(assertion)).toEqual([problem])
  })

  it.each(['x*', '.*', '^', '$', '(?i)sorry|', '^(yes|no)?', '[\\s\\S]*', '^$|(?s).'])(
    'regex %s',
    (pattern) => {
      expect(problemsOf({ type: 'regex', pattern })).toEqual([
        `pattern: every text matches /${pattern}/: it can match the empty text, which is everywhere`,
      ])
    },
  )
})

describe('a check that can fail is not refused:', () => {
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
    expect(problemsOf(assertion)).toEqual([])
  })
})
