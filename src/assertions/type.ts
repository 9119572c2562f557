import { z } from 'zod'
import { defineAssertion, didYouMean } from './definition.ts'

const articles = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

type TypeName = keyof typeof articles

const typeNames = Object.keys(articles)

export const typeAssertion = defineAssertion({
  type: 'type',
  about: 'The output, or the part at `path`, is of this JSON type; text that holds JSON is of its type too.',
  fields: {
    value: z
      .enum(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'], {
        error: ({ input }) =>
          `"value" must be one of ${typeNames.join(', ')}${didYouMean(String(input), typeNames)}`,
      })
      .describe('The name of the type.'),
  },
  example: { type: 'type', path: '$.count', value: 'number' },
  looksAt: 'output',
  compile({ value }) {
    return (subject) => {
      const data = value === 'string' ? { value: subject.output } : subject.data()
      const expected = value
      if (data === undefined) {
        const negatedReason = `${subject.name} is text without JSON`
        const reason = `${negatedReason}, expected ${articles[value]}`
        return { status: 'failed', reason, negatedReason, expected, actual: 'string' }
      }
      const actual = typeOf(data.value)
      const is = `${subject.name} is ${articles[actual]}`
      return actual === value || (actual === 'integer' && value === 'number')
        ? { status: 'passed', reason: is, expected, actual }
        : {
            status: 'failed',
            reason: `${is}, expected ${articles[value]}`,
            negatedReason: is,
            expected,
            actual,
          }
    }
  },
})

function typeOf(value: unknown): TypeName {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return 'object'
}
