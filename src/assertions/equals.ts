import { z } from 'zod'
import { defineAssertion } from './definition.ts'
import { show } from './describe.ts'
import { deepEqual } from './equality.ts'

export const equals = defineAssertion({
  type: 'equals',
  about:
    'The output equals the value, deeply and whatever the order of keys; where the value is not text, ' +
    'JSON is first pulled out of a text reply.',
  fields: { value: z.unknown().describe('Any value.') },
  example: { type: 'equals', value: { need_search: false } },
  looksAt: 'output',
  compile({ value }) {
    return (subject) => {
      const data = typeof value === 'string' ? undefined : subject.data()
      const actual = data === undefined ? subject.output : data.value
      const is = `${subject.name} is ${show(actual)}`
      if (deepEqual(actual, value)) {
        const negatedReason = `${is}, expected anything else`
        return { status: 'passed', reason: is, negatedReason, expected: value, actual }
      }
      const reason = `${is}, expected ${show(value)}`
      return { status: 'failed', reason, negatedReason: is, expected: value, actual }
    }
  },
})
