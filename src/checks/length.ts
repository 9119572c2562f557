import { z } from 'zod'
import { isRecord, textOrJson } from '../json/json.ts'
import { comparisonVerdict, defineAssertion, type ReportProblem, type Subject } from './definition.ts'
import { splitWords } from './words.ts'

const count = z.int().min(0).optional()

const fields = {
  min: count.describe('At least this many.'),
  max: count.describe('At most this many.'),
  equals: count.describe('Exactly this many.'),
  value: count.describe('The same as `equals`.'),
  unit: z
    .enum(['characters', 'words', 'items'])
    .optional()
    .describe('What is counted. The default is `items` for an array and `characters` for everything else.'),
}

type Fields = z.output<z.ZodObject<typeof fields>>

type Unit = NonNullable<Fields['unit']>

export const lengthCheck = defineAssertion({
  type: 'length',
  about:
    'The length of the output is within the limits. It is counted in characters (Unicode code points of the ' +
    'text or the compact JSON), in words (as Unicode defines them) or in items (of an array, or the keys of ' +
    'an object; JSON is first extracted from a text reply).',
  fields,
  example: { type: 'length', max: 50, unit: 'words' },
  looksAt: 'output',
  refine: refineLimits,
  compile({ unit, ...limits }) {
    const expectation = describeLimits(limits)
    return (subject) => {
      const counted = unit ?? (Array.isArray(subject.output) ? 'items' : 'characters')
      const actual = countUnits(counted, subject)
      const holds = actual !== undefined && isWithin(actual, limits)
      const has =
        actual === undefined ? 'is neither a list nor an object' : `has ${describeCount(actual, counted)}`
      const nothing = actual === undefined ? { nothingThere: true as const } : {}
      return {
        ...comparisonVerdict(holds, `${subject.name} ${has}`, expectation),
        ...nothing,
        expected: limits,
        actual,
      }
    }
  },
})

function refineLimits({ min, max, equals, value, unit }: Fields, problem: ReportProblem): void {
  const exact = equals === undefined ? 'value' : 'equals'
  const hasExact = equals !== undefined || value !== undefined
  if (equals !== undefined && value !== undefined) problem('value', '"equals" and "value" are the same')
  if (!hasExact && min === undefined && max === undefined)
    problem('max', 'length needs "min", "max" or "equals"')
  if (hasExact && (min !== undefined || max !== undefined))
    problem(exact, `"${exact}" cannot be combined with "min" or "max"`)
  if (min === 0 && max === undefined && unit !== 'items') problem('min', 'every text has at least 0')
  if (min !== undefined && max !== undefined && min > max) problem('min', '"min" is more than "max"')
}

type Limits = Omit<Fields, 'unit'>

function isWithin(
  actual: number,
  { min = 0, max = Number.POSITIVE_INFINITY, equals, value }: Limits,
): boolean {
  const exact = equals ?? value
  return actual >= min && actual <= max && (exact === undefined || actual === exact)
}

function describeLimits({ min, max, equals, value }: Limits): string {
  const exact = equals ?? value
  if (exact !== undefined) return `exactly ${exact}`
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `${min} to ${max}`
}

function countUnits(unit: Unit, subject: Subject): number | undefined {
  if (unit === 'words') return splitWords(textOrJson(subject.output)).length
  if (unit === 'characters') return countCodePoints(textOrJson(subject.output))
  const data = subject.data()?.value
  if (Array.isArray(data)) return data.length
  return isRecord(data) ? Object.keys(data).length : undefined
}

function countCodePoints(text: string): number {
  let total = 0
  for (const _ of text) total++
  return total
}

function describeCount(total: number, unit: Unit): string {
  return `${total} ${total === 1 ? unit.slice(0, -1) : unit}`
}
