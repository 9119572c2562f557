import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasWords, searchedTexts, searchedWords } from './searched-texts.ts'

function isFound(query: string, result: object): boolean {
  return hasWords(searchedTexts(result), searchedWords(query))
}

const result = {
  type: 'result',
  id: 'T1',
  name: 'A booking',
  tags: ['smoke'],
  status: 'failed',
  fault: 'agent',
  error_kind: 'assertion',
  error: 'does not contain "refund"',
  mode: 'multi_turn',
  variant: 'support@large',
  case_hash: 'cafe',
  started_at: '2026-01-01T00:00:00.000Z',
  duration_ms: 1234,
  turns: [
    {
      turn: 1,
      input: { city: 'Rome', type: 'museum', nights: 42 },
      input_source: 'initial',
      simulator: { by: 'viva.user', format: 'json', reasoning: 'It asked politely.' },
      message: { role: 'user', content: [{ type: 'text', text: 'To Rome, please' }] },
      output: 'Which hotel?',
      tool_calls: [{ name: 'find_hotel', args: { stars: 3 }, result: [{ status: 'vacant' }] }],
      awaiting_reason: 'content_is_question',
      finish_reason: 'stop',
      assertions: [
        {
          type: 'equals',
          value: { role: 'pilgrim' },
          status: 'failed',
          reason: 'it is another',
          expected: { mode: 'bus' },
          actual: null,
          details: { format: 'haiku' },
        },
      ],
    },
  ],
  logs: ['warmed up'],
}

describe('a search', () => {
  it.each([
    ['T1'],
    ['booking'],
    ['smoke'],
    ['refund'],
    ['politely'],
    ['viva.user'],
    ['please'],
    ['hotel'],
    ['find_hotel'],
    ['another'],
    ['warmed'],
  ])('finds %s, which is a word of the conversation or the case', (word) => {
    expect(isFound(word, result)).toBe(true)
  })

  it.each([['museum'], ['vacant'], ['pilgrim'], ['bus'], ['haiku']])(
    "finds %s in data, even if the field has the name of one of viva's",
    (word) => {
      expect(isFound(word, result)).toBe(true)
    },
  )

  it.each([['city'], ['stars'], ['42']])('finds %s, which is a key or a number in data', (word) => {
    expect(isFound(word, result)).toBe(true)
  })

  it.each([
    ['multi_turn'],
    ['support@large'],
    ['cafe'],
    ['2026'],
    ['initial'],
    ['content_is_question'],
    ['stop'],
    ['agent'],
    ['assertion'],
    ['equals'],
    ['failed'],
    ['duration_ms'],
    ['1234'],
    ['awaiting_reason'],
  ])("does not find %s, which is viva's own word", (word) => {
    expect(isFound(word, result)).toBe(false)
  })

  it('requires every word, anywhere and in upper or lower case', () => {
    expect(isFound('ROME  Hotel\tbooking', result)).toBe(true)
    expect(isFound('Rome Paris', result)).toBe(false)
  })

  it('does not find a word across two texts', () => {
    expect(hasWords(['re', 'fund'], ['refund'])).toBe(false)
  })

  it('finds everything without a query', () => {
    expect(searchedWords(' \n ')).toEqual([])
    expect(hasWords([], [])).toBe(true)
  })

  it('finds every text of an input, however deep', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        expect(searchedTexts({ turns: [{ input: [value, { deep: [text] }] }] })).toContain(text)
      }),
    )
  })

  it('handles deeply nested data', () => {
    let deep: unknown = 'bottom'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    expect(searchedTexts({ input: deep })).toEqual(['bottom'])
  })
})
