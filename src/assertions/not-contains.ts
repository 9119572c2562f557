import { containsValue } from './contains.ts'
import { defineAssertion, requiredValue } from './definition.ts'
import { show } from './describe.ts'

export const notContains = defineAssertion({
  type: 'not_contains',
  about: 'The output does not contain the value, in the sense of `contains`.',
  fields: { value: requiredValue('not_contains', 'Text, or any value.') },
  example: { type: 'not_contains', value: 'error' },
  looksAt: 'output',
  refine({ value }, problem) {
    if (value === '') problem('value', 'every text contains an empty one')
  },
  compile({ value }) {
    return ({ output, name }) => {
      const found = containsValue(output, value)
      return {
        status: found ? 'failed' : 'passed',
        reason: `${name} ${found ? 'contains' : 'does not contain'} ${show(value)}`,
        expected: value,
        actual: output,
      }
    }
  },
})
