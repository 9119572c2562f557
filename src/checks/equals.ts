import { sameData } from '../json/equal/find-difference.ts'
import { comparisonVerdict, defineAssertion } from './definition.ts'
import { showApart } from './describe.ts'
import { requiredValue } from './value-fields.ts'

export const equalsCheck = defineAssertion({
  type: 'equals',
  about:
    'The output equals the value. The comparison is deep and ignores the order of keys. If the value is not ' +
    'a string, JSON is first extracted from a text reply.',
  fields: { value: requiredValue('equals', 'Any value.') },
  example: { type: 'equals', value: { need_search: false } },
  looksAt: 'output',
  compile({ value }) {
    return (subject) => {
      const data = typeof value === 'string' ? undefined : subject.data()
      const actual = data === undefined ? subject.output : data.value
      const [came, wanted] = showApart(actual, value)
      const is = `${subject.name} is ${came}`
      return { ...comparisonVerdict(sameData(actual, value), is, wanted), expected: value, actual }
    }
  },
})
