import { containsValue } from './contains.ts'
import { defineAssertion, requiredToContain } from './definition.ts'
import { show } from './describe.ts'

export const notContains = defineAssertion({
  type: 'not_contains',
  about: 'The output does not contain the value, in the sense of `contains`.',
  fields: { value: requiredToContain('not_contains', 'Text, or any value.') },
  example: { type: 'not_contains', value: 'error' },
  looksAt: 'output',
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
