import { containsValue } from './contains.ts'
import { defineAssertion, statementVerdict } from './definition.ts'
import { listed, show } from './describe.ts'
import { chooseFold, ignoreCaseField } from './letter-case.ts'
import { requiredList } from './value-fields.ts'

export const containsAnyCheck = defineAssertion({
  type: 'contains_any',
  about: 'The output contains at least one of the values, as defined for `contains`.',
  fields: {
    value: requiredList('contains_any', 'A list of texts, or of any values.'),
    ignore_case: ignoreCaseField,
  },
  example: { type: 'contains_any', value: ['refund', 'money back'], ignore_case: true },
  looksAt: 'output',
  compile({ value, ignore_case }) {
    const fold = chooseFold(ignore_case)
    return ({ output, name }) => {
      const found = value.filter((each) => containsValue(output, each, fold))
      const shown = listed((found.length > 0 ? found : value).map((each) => show(each)))
      const [is, isNot] = [`${name} contains ${shown}`, `${name} contains none of ${shown}`]
      return {
        ...statementVerdict(found.length > 0, is, isNot, 'not to contain any of them'),
        expected: value,
        actual: output,
      }
    }
  },
})
