import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeIssues } from './issues.ts'

it('a missing value of several possible forms is reported as missing', () => {
  const schema = z.strictObject({ value: z.union([z.record(z.string(), z.unknown()), z.boolean()]) })
  const { error } = schema.safeParse({}, { reportInput: true })
  expect(error && describeIssues(error, schema)).toEqual([
    { code: 'missing_key', path: ['value'], message: 'value is missing' },
  ])
})
