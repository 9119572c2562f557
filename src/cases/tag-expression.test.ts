import { describe, expect, it } from 'vitest'
import { parseTagExpression } from './tag-expression.ts'

const tags = new Set(['smoke', 'slow', 'area:billing'])

describe('parseTagExpression', () => {
  it.each([
    ['smoke', true],
    ['fast', false],
    ['smoke and slow', true],
    ['smoke && !slow', false],
    ['fast or slow', true],
    ['not fast', true],
    ['!(smoke || fast)', false],
    ['area:billing and (fast or not nightly)', true],
    ['fast and slow or smoke', true],
    ['not not smoke', true],
  ])('evaluates %s to %s', (text, expected) => {
    expect(parseTagExpression(text)(tags)).toBe(expected)
  })

  it.each([
    ['', 'a tag is missing'],
    ['smoke and', 'a tag is missing at the end'],
    ['or smoke', 'a tag is missing before "or"'],
    ['(smoke', 'a parenthesis is not closed'],
    ['smoke slow', 'unexpected "slow"'],
    ['smoke)', 'unexpected ")"'],
  ])('rejects %j', (text, message) => {
    expect(() => parseTagExpression(text)).toThrow(message)
  })
})
