import { z } from 'zod'
import { compileSchema } from '../json/schema/compile.ts'
import type { SchemaFault } from '../json/schema/keyword.ts'
import { shorten } from '../text/shorten.ts'
import { defineAssertion, reportThrown, statementVerdict, withRepairNote } from './definition.ts'

export const jsonSchemaCheck = defineAssertion({
  type: 'json_schema',
  about:
    'The JSON of the output is valid against the JSON Schema (2020-12; draft-07 syntax is accepted too). ' +
    'Formats are checked, patterns use RE2 syntax, and references must stay inside the schema. Malformed JSON ' +
    'is repaired first, as for `json_path`.',
  fields: {
    value: z
      .union([z.record(z.string(), z.unknown()), z.boolean()], {
        error: () => 'json_schema needs a "value" that is a JSON Schema',
      })
      .describe('The schema.'),
  },
  example: {
    type: 'json_schema',
    value: { type: 'object', required: ['amount'], properties: { amount: { type: 'number', minimum: 0 } } },
  },
  looksAt: 'output',
  repairsJson: true,
  refine({ value }, problem) {
    const { problems, faults } = compileSchema(value)
    for (const { path, message } of problems) problem(['value', ...path], message)
    // An endless self-reference of the schema shows with any value.
    if (problems.length === 0) reportThrown('value', problem, () => void faults(null))
  },
  compile({ value }) {
    const { faults } = compileSchema(value)
    return (subject) => {
      const data = subject.data()
      if (data === undefined) {
        return {
          status: 'failed',
          nothingThere: true,
          reason: `${subject.name} contains no JSON`,
          expected: value,
          actual: subject.output,
        }
      }
      const found = faults(data.value)
      const is = `${subject.name} satisfies the schema`
      const isNot = `${subject.name} does not satisfy the schema: ${listFaults(found)}`
      const verdict = statementVerdict(found.length === 0, is, isNot, 'not to satisfy it')
      return withRepairNote({ ...verdict, expected: value, actual: data.value }, data)
    }
  },
})

const maxShownFaults = 3

function listFaults(faults: readonly SchemaFault[]): string {
  const shown = faults
    .slice(0, maxShownFaults)
    .map(({ path, message }) => `${formatJsonPath(path)} ${message}`)
  const rest = faults.length - shown.length
  return `${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`
}

// As a JSONPath: `$.items[0].price`.
function formatJsonPath(path: SchemaFault['path']): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`
  })
  return shorten(`$${steps.join('')}`, 100)
}
