import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversation } from './conversation.fixture.ts'
import { compileNormalizer, outputText, spokenText, toolCallsText } from './snapshot-text.ts'

describe('compileNormalizer', () => {
  it.each([
    ['2026-11-18', '<date>'],
    ['on 2026-11-18T10:20:30.123Z,', 'on <date>,'],
    ['18 November 2026 at 10:30 am', '<date> at <date>'],
    ['November 18, 2026', '<date>'],
    ['18.11.2026', '<date>'],
    ['version 1.2', 'version 1.2'],
    ['10 Apricots, 12 Marketing and 5 Maybe', '10 Apricots, 12 Marketing and 5 Maybe'],
    ['Section 4:12', 'Section 4:12'],
    ['May 3rd, 2026 at 4:12 pm', '<date> at <date>'],
  ])('dates: %j becomes %j', (text, expected) => {
    expect(compileNormalizer(['dates'])(text)).toBe(expected)
  })

  it.each([
    ['order 3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'order <id>'],
    ['call_8fJ2k9', '<id>'],
    ['commit deadbeef1234', 'commit <id>'],
    ['a well-known decade, faded', 'a well-known decade, faded'],
    ['order 12345', 'order 12345'],
  ])('ids: %j becomes %j', (text, expected) => {
    expect(compileNormalizer(['ids'])(text)).toBe(expected)
  })

  it.each([
    ['$1,234.50 for 3 nights', '$<number> for <number> nights'],
    ['-5 degrees', '<number> degrees'],
    ['A4 paper', 'A4 paper'],
  ])('numbers: %j becomes %j', (text, expected) => {
    expect(compileNormalizer(['numbers'])(text)).toBe(expected)
  })

  it('own patterns are replaced first', () => {
    const normalize = compileNormalizer(['numbers', { pattern: 'ticket #\\d+', as: 'ticket #…' }])
    expect(normalize('ticket #17 costs 5')).toBe('ticket #… costs <number>')
  })

  it('without rules nothing is replaced', () => {
    expect(compileNormalizer()('2026-11-18')).toBe('2026-11-18')
  })

  it('a second application changes nothing', () => {
    const normalize = compileNormalizer(['dates', 'ids', 'numbers'])
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(normalize(normalize(text))).toBe(normalize(text))
      }),
    )
  })
})

describe('the texts of a conversation', () => {
  const { turns } = conversation([
    { output: 'Which one?', calls: [{ name: 'list', arguments: { b: 1, a: 2 } }] },
    { output: { b: 1, a: [2] } },
  ])

  it('data is JSON with sorted keys on several lines', () => {
    expect(outputText({ b: 1, a: [2] })).toBe('{\n  "a": [\n    2\n  ],\n  "b": 1\n}')
    expect(outputText('as it is')).toBe('as it is')
  })

  it('there is one line for each tool call', () => {
    expect(toolCallsText(turns)).toBe('list {"a":2,"b":1}')
    expect(toolCallsText(turns.slice(1))).toBe('(no tool calls)')
    expect(toolCallsText(conversation([{ calls: 'hidden' }]).turns)).toBeUndefined()
  })

  it('a conversation has all messages and tool calls in order', () => {
    expect(spokenText(turns)).toBe(
      'User: hello\nTool: list {"a":2,"b":1}\nAgent: Which one?\nUser: hello\nAgent: {"a":[2],"b":1}',
    )
  })
})
