import { z } from 'zod'
import { comparisonVerdict, defineAssertion, didYouMean } from './definition.ts'

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

const typeNames = Object.keys(articles) as TypeName[]

export const typeCheck = defineAssertion({
  type: 'type',
  about:
    'The output, or the part at `path`, has this JSON type. If a text reply contains JSON, the assertion ' +
    'passes for the type of this JSON as well as for `string`.',
  fields: {
    value: z
      .enum(typeNames, { error: ({ input }) => wrongTypeMessage(input) })
      .describe('The name of the type.'),
  },
  example: { type: 'type', path: '$.count', value: 'number' },
  looksAt: 'output',
  compile({ value }) {
    return (subject) => {
      const data = value === 'string' ? { value: subject.output } : subject.data()
      const actual = data === undefined ? 'string' : jsonTypeName(data.value)
      const holds = actual === value || (actual === 'integer' && value === 'number')
      const is = `${subject.name} is ${data === undefined ? 'text without JSON' : articles[actual]}`
      return { ...comparisonVerdict(holds, is, articles[value]), expected: value, actual }
    }
  },
})

function jsonTypeName(value: unknown): TypeName {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return 'object'
}

function wrongTypeMessage(input: unknown): string {
  const meant = typeof input === 'string' ? didYouMean(input, typeNames) : ''
  return `type needs a "value" that is one of ${typeNames.join(', ')}${meant}`
}
