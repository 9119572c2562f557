import { describe, expect, it } from 'vitest'
import { judge, validationProblems, verdict } from './conversation.fixture.ts'

const jsonSchema = (value: unknown, more = {}) => ({ type: 'json_schema', value, ...more })

const expense = {
  type: 'object',
  required: ['amount', 'items'],
  properties: {
    amount: { type: 'number', minimum: 0 },
    items: { type: 'array', items: { type: 'object', properties: { 'unit price': { type: 'number' } } } },
  },
  additionalProperties: false,
}

describe('json_schema', () => {
  it('validates an object and the JSON in a text', async () => {
    const output = { amount: 5, items: [] }
    expect(await verdict(jsonSchema(expense), output)).toBe('passed: output satisfies the schema')
    expect(
      await verdict(jsonSchema(expense), `Here:\n\`\`\`json\n${JSON.stringify(output)}\n\`\`\``),
    ).toMatch(/^passed/)
  })

  it('reports at most three errors with their paths', async () => {
    expect(await verdict(jsonSchema(expense), { amount: -1, items: [{}, { 'unit price': 'x' }] })).toBe(
      'failed: output does not satisfy the schema: $.amount must be at least 0, is -1; ' +
        '$.items[1]["unit price"] must be a number, is "x"',
    )
    expect(await verdict(jsonSchema({ items: { type: 'string' } }), [1, 2, 3, 4, 5])).toMatch(/; and 2 more$/)
  })

  it('fails for a text without JSON', async () => {
    expect(await verdict(jsonSchema(true), 'no data here')).toBe('failed: output contains no JSON')
  })

  it('repairs text that is almost JSON and says so', async () => {
    const note = '(the JSON was repaired: trailing comma)'
    expect(await verdict(jsonSchema(expense), '{"amount": 5, "items": [],}')).toBe(
      `passed: output satisfies the schema ${note}`,
    )
    expect(await verdict(jsonSchema(expense), '{"amount": -5, "items": [],}')).toBe(
      `failed: output does not satisfy the schema: $.amount must be at least 0, is -5 ${note}`,
    )
    const amount = jsonSchema({ type: 'number' }, { path: 'amount' })
    expect(await verdict(amount, '{"amount": 5,}')).toBe(`passed: amount satisfies the schema ${note}`)
    expect(await verdict(amount, '{"sum": 5,}')).toBe(`failed: amount is missing ${note}`)
  })

  it('validates a part, which may be text', async () => {
    const output = '{"user": {"name": "Ada"}}'
    expect(await verdict(jsonSchema({ type: 'string' }, { path: 'user.name' }), output)).toBe(
      'passed: user.name satisfies the schema',
    )
    expect(await verdict(jsonSchema({ maxLength: 2 }, { path: 'user.name' }), output)).toBe(
      'failed: user.name does not satisfy the schema: $ must have at most 2 characters, has 3',
    )
  })

  it('can be negated', async () => {
    expect((await judge(jsonSchema(expense, { negate: true }), { output: {} })).status).toBe('passed')
  })

  it.each([
    [{ type: 'strin' }, 'value.type: "type" must be one of'],
    [
      { properties: { a: { pattern: '(' } } },
      'value.properties.a.pattern: "pattern" has a bad regular expression',
    ],
    [{ $ref: '#/$defs/a' }, 'value.$ref: "$ref" "#/$defs/a" is not in the schema'],
    [{ $ref: '#' }, 'value: the schema has a circular reference'],
    [{ requierd: ['a'] }, 'value.requierd: unknown keyword "requierd" (did you mean "required"?)'],
    ['{"type": "object"}', 'value: json_schema needs a "value" that is a JSON Schema'],
    [undefined, 'value: json_schema needs a "value" that is a JSON Schema'],
  ])('rejects the schema %j before anything is run', (schema, words) => {
    expect(validationProblems(jsonSchema(schema))).toEqual([expect.stringContaining(words)])
  })
})
