import { containsValue } from './contains.ts'
import { defineAssertion, requiredText } from './definition.ts'
import { show } from './describe.ts'
import { lowerCase } from './letter-case.ts'

export const icontains = defineAssertion({
  type: 'icontains',
  about: 'The output contains the text in upper or lower case, otherwise in the sense of `contains`.',
  fields: { value: requiredText('icontains', 'The text.') },
  example: { type: 'icontains', value: 'thank you' },
  looksAt: 'output',
  compile({ value }) {
    return ({ output, name }) => {
      const found = containsValue(output, value, lowerCase)
      return {
        status: found ? 'passed' : 'failed',
        reason: `${name} ${found ? 'contains' : 'does not contain'} ${show(value)} in any case`,
        expected: value,
        actual: output,
      }
    }
  },
})
