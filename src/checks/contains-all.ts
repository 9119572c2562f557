import { containsValue } from './contains.ts'
import { defineAssertion, statementVerdict } from './definition.ts'
import { listed, show } from './describe.ts'
import { chooseFold, ignoreCaseField } from './letter-case.ts'
import { requiredList } from './value-fields.ts'

export const containsAllCheck = defineAssertion({
  type: 'contains_all',
  about: 'The output contains all of the values, as defined for `contains`.',
  fields: {
    value: requiredList('contains_all', 'A list of texts, or of any values.'),
    ignore_case: ignoreCaseField,
  },
  example: { type: 'contains_all', value: ['amount', 'currency'] },
  looksAt: 'output',
  compile({ value, ignore_case }) {
    const fold = chooseFold(ignore_case)
    return ({ output, name }) => {
      const missing = value.filter((each) => !containsValue(output, each, fold))
      const shown = listed((missing.length > 0 ? missing : value).map((each) => show(each)))
      const [is, isNot] = [`${name} contains ${shown}`, `${name} does not contain ${shown}`]
      return {
        ...statementVerdict(missing.length === 0, is, isNot, 'not to contain all of them'),
        expected: value,
        actual: output,
      }
    }
  },
})
