import { containsValue } from './contains.ts'
import { defineAssertion, requiredText, statementVerdict } from './definition.ts'
import { show } from './describe.ts'
import { lowerCase } from './letter-case.ts'

export const icontainsCheck = defineAssertion({
  type: 'icontains',
  about: 'The output contains the text, in upper or lower case; otherwise as defined for `contains`.',
  fields: { value: requiredText('icontains', 'The text.') },
  example: { type: 'icontains', value: 'thank you' },
  looksAt: 'output',
  compile({ value }) {
    return ({ output, name }) => {
      const found = containsValue(output, value, lowerCase)
      const what = `${show(value)} in any case`
      const [is, isNot] = [`${name} contains ${what}`, `${name} does not contain ${what}`]
      return { ...statementVerdict(found, is, isNot, 'not to contain it'), expected: value, actual: output }
    }
  },
})
