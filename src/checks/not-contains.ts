import { judgeContains } from './contains.ts'
import { defineAssertion, negateVerdict } from './definition.ts'
import { requiredSearchValue } from './value-fields.ts'

export const notContainsCheck = defineAssertion({
  type: 'not_contains',
  about: 'The output does not contain the value, as defined for `contains`.',
  fields: { value: requiredSearchValue('not_contains', 'Text, or any value.') },
  example: { type: 'not_contains', value: 'error' },
  looksAt: 'output',
  compile({ value }) {
    return (subject) => negateVerdict(judgeContains(subject, value))
  },
})
