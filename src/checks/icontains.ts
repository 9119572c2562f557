import { judgeContains } from './contains.ts'
import { defineAssertion } from './definition.ts'
import { show } from './describe.ts'
import { lowerCase } from './letter-case.ts'
import { requiredText } from './value-fields.ts'

export const icontainsCheck = defineAssertion({
  type: 'icontains',
  about: 'The output contains the text, ignoring case; otherwise as defined for `contains`.',
  fields: { value: requiredText('icontains', 'The text.') },
  example: { type: 'icontains', value: 'thank you' },
  looksAt: 'output',
  compile({ value }) {
    return (subject) => judgeContains(subject, value, lowerCase, `${show(value)} in any case`)
  },
})
