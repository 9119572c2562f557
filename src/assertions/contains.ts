import { deepEqual, sortedJson } from '../json.ts'
import { defineAssertion, requiredToContain } from './definition.ts'
import { compactJson, show } from './describe.ts'
import { asWritten, type Fold } from './letter-case.ts'

export const contains = defineAssertion({
  type: 'contains',
  about: 'The output contains the value: as text, as a member of an array, or in the JSON of an object.',
  fields: { value: requiredToContain('contains', 'Text, or any value.') },
  example: { type: 'contains', value: 'type of expense' },
  looksAt: 'output',
  compile({ value }) {
    return ({ output, name }) => {
      const found = containsValue(output, value)
      return {
        status: found ? 'passed' : 'failed',
        reason: `${name} ${found ? 'contains' : 'does not contain'} ${show(value)}`,
        expected: value,
        actual: output,
      }
    }
  },
})

/** Text by substring, arrays by membership, all else by substring of its compact JSON. */
export function containsValue(output: unknown, value: unknown, fold: Fold = asWritten): boolean {
  if (typeof output === 'string')
    return fold(output).includes(fold(typeof value === 'string' ? value : compactJson(value)))
  if (Array.isArray(output)) return output.some((member) => isSame(member, value, fold))
  if (typeof value !== 'string') return sortedJson(output).includes(sortedJson(value))
  const json = fold(compactJson(output))
  // As written, and as JSON writes it: with quotes and line breaks escaped.
  return json.includes(fold(value)) || json.includes(fold(JSON.stringify(value).slice(1, -1)))
}

function isSame(member: unknown, value: unknown, fold: Fold): boolean {
  if (typeof member === 'string' && typeof value === 'string') return fold(member) === fold(value)
  return deepEqual(member, value)
}
