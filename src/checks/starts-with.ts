import { textOrJson } from '../json/json.ts'
import { shorten } from '../text/shorten.ts'
import { comparisonVerdict, defineAssertion } from './definition.ts'
import { show } from './describe.ts'
import { chooseFold, ignoreCaseField } from './letter-case.ts'
import { requiredText } from './value-fields.ts'

export const startsWithCheck = defineAssertion({
  type: 'starts_with',
  about: 'The output, or its compact JSON, starts with the text. Leading white space is significant.',
  fields: { value: requiredText('starts_with', 'The text.'), ignore_case: ignoreCaseField },
  example: { type: 'starts_with', value: 'Dear' },
  looksAt: 'output',
  compile({ value, ignore_case }) {
    const fold = chooseFold(ignore_case)
    return ({ output, name }) => {
      const text = textOrJson(output)
      const holds = fold(text).startsWith(fold(value))
      const is = `${name} starts with ${show(shorten(text, value.length))}`
      return { ...comparisonVerdict(holds, is, show(value)), expected: value, actual: output }
    }
  },
})
