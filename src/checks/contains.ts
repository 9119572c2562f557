import { sameData } from '../json/equal/find-difference.ts'
import { isRecord, textOrJson } from '../json/json.ts'
import { type CheckVerdict, defineAssertion, type Subject, statementVerdict } from './definition.ts'
import { compactJson, show } from './describe.ts'
import { type Fold, keepCase } from './letter-case.ts'
import { requiredSearchValue } from './value-fields.ts'

export const containsCheck = defineAssertion({
  type: 'contains',
  about:
    'The output contains the value. If the output is data, a string is searched for in every string and key, ' +
    'and any other value must equal a member at any depth.',
  fields: { value: requiredSearchValue('contains', 'Text, or any value.') },
  example: { type: 'contains', value: 'type of expense' },
  looksAt: 'output',
  compile({ value }) {
    return (subject) => judgeContains(subject, value)
  },
})

/** `not_contains` is the same, turned around; `icontains` ignores the case of letters, and `shown` says so. */
export function judgeContains(
  { output, name }: Pick<Subject, 'output' | 'name'>,
  value: unknown,
  fold = keepCase,
  shown = show(value),
): CheckVerdict {
  const found = containsValue(output, value, fold)
  const [is, isNot] = [`${name} contains ${shown}`, `${name} does not contain ${shown}`]
  const verdict = statementVerdict(found, is, isNot, 'not to contain it')
  verdict.expected = value
  verdict.actual = output
  return verdict
}

/**
 * Searches text for a substring. In data, a text is found in every text and key inside and in the compact JSON; any
 * other value is found if it equals a member at any depth.
 */
export function containsValue(output: unknown, value: unknown, fold: Fold = keepCase): boolean {
  if (typeof output === 'string') return fold(output).includes(fold(textOrJson(value)))
  if (typeof value !== 'string') return listMembers(output).some((member) => sameData(member, value))
  const text = fold(value)
  return (
    listTexts(output).some((inside) => fold(inside).includes(text)) ||
    fold(compactJson(output)).includes(text)
  )
}

/** The value and everything inside it. */
function listMembers(value: unknown): unknown[] {
  const found = new Set([value])
  // The set grows during the iteration, so deep data cannot overflow the stack and a circular reference ends.
  for (const each of found)
    if (typeof each === 'object' && each !== null) for (const member of Object.values(each)) found.add(member)
  return [...found]
}

function listTexts(value: unknown): string[] {
  return listMembers(value).flatMap((member) =>
    typeof member === 'string' ? [member] : isRecord(member) ? Object.keys(member) : [],
  )
}
