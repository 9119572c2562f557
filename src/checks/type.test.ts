import { describe, expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const type = (value: unknown, more = {}) => ({ type: 'type', value, ...more })

describe('type', () => {
  const samples: Record<string, unknown> = {
    string: 'words',
    number: 1.5,
    integer: 3,
    boolean: false,
    object: { a: 1 },
    array: [1],
    null: null,
  }

  it.each(Object.keys(samples))('distinguishes %s from all other types', async (name) => {
    for (const [other, sample] of Object.entries(samples)) {
      const right = other === name || (name === 'number' && other === 'integer')
      expect(await verdict(type(name), sample), `${other} as ${name}`).toMatch(right ? /^passed/ : /^failed/)
    }
  })

  it.each([
    ['{"a":1}', 'object'],
    ['[]', 'array'],
    ['42', 'integer'],
    ['42', 'number'],
    ['4.2', 'number'],
    ['true', 'boolean'],
    ['null', 'null'],
  ])('accepts the text %s as a string and as its JSON type', async (output, name) => {
    expect(await verdict(type('string'), output)).toMatch(/^passed/)
    expect(await verdict(type(name), output)).toMatch(/^passed/)
  })

  it('extracts JSON from a text reply', async () => {
    expect(await verdict(type('object'), 'Sure:\n```json\n{"a": 1}\n```')).toBe('passed: output is an object')
    expect(await verdict(type('object'), 'Sorry.')).toBe(
      'failed: output is text without JSON, expected an object',
    )
  })

  it('judges the part at the path without parsing JSON in its text', async () => {
    const output = '{"count": "5", "n": 5}'
    expect(await verdict(type('number', { path: '$.n' }), output)).toBe('passed: $.n is an integer')
    expect(await verdict(type('number', { path: '$.count' }), output)).toBe(
      'failed: $.count is a string, expected a number',
    )
    expect(await verdict(type('null', { path: '$.nothing' }), output)).toBe('failed: $.nothing is missing')
  })

  it('has a fitting reason when negated', async () => {
    expect(await verdict(type('object', { negate: true }), {})).toBe(
      'failed: output is an object, expected anything else',
    )
    expect(await verdict(type('object', { negate: true }), [])).toBe('passed: output is an array')
  })

  it('rejects other names with a suggestion', () => {
    expect(validationProblems(type('objct'))).toEqual([
      'value: type needs a "value" that is one of string, number, integer, boolean, object, array, null ' +
        '(did you mean "object"?)',
    ])
    expect(validationProblems({ type: 'type' })).toEqual([
      expect.stringMatching(/^value: type needs a "value".*null$/),
    ])
  })
})
