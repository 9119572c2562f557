import { textOrJson } from '../json/json.ts'
import { shortenStart } from '../text/shorten.ts'
import { comparisonVerdict, defineAssertion } from './definition.ts'
import { show } from './describe.ts'
import { chooseFold, ignoreCaseField } from './letter-case.ts'
import { requiredText } from './value-fields.ts'

export const endsWithCheck = defineAssertion({
  type: 'ends_with',
  about: 'The output, or its compact JSON, ends with the text. Trailing white space is significant.',
  fields: { value: requiredText('ends_with', 'The text.'), ignore_case: ignoreCaseField },
  example: { type: 'ends_with', value: '?' },
  looksAt: 'output',
  compile({ value, ignore_case }) {
    const fold = chooseFold(ignore_case)
    return ({ output, name }) => {
      const text = textOrJson(output)
      const holds = fold(text).endsWith(fold(value))
      const is = `${name} ends with ${show(shortenStart(text, value.length))}`
      return { ...comparisonVerdict(holds, is, show(value)), expected: value, actual: output }
    }
  },
})
