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

it('an object that lacks a key of each form is reported with all of them', () => {
  const form = (key: string) => z.strictObject({ [key]: z.string(), note: z.string().optional() })
  const schema = z.record(z.string(), z.union([z.string(), form('url'), form('command')]))
  const messages = (value: unknown) => {
    const { error } = schema.safeParse({ a: value }, { reportInput: true })
    return error && describeIssues(error, schema).map(({ message }) => message)
  }
  expect(messages({})).toEqual(['a needs "url" or "command"'])
  expect(messages({ colour: 'red' })).toEqual(['a needs "url" or "command"', 'unknown key "colour" in a'])
  expect(messages({ url: 'x', colour: 'red' })).toEqual(['unknown key "colour" in a'])
})
