import { expect, it } from 'vitest'
import { validationProblems, verdict } from './conversation.fixture.ts'

const length = (fields: object) => ({ type: 'length', ...fields })

it.each([
  [{ min: 2, max: 3 }, 'ab', 'passed: output has 2 characters'],
  [{ min: 3 }, 'ab', 'failed: output has 2 characters, expected at least 3'],
  [{ max: 1 }, 'ab', 'failed: output has 2 characters, expected at most 1'],
  [{ min: 3, max: 4 }, 'ab', 'failed: output has 2 characters, expected 3 to 4'],
  [{ equals: 1 }, 'ab', 'failed: output has 2 characters, expected exactly 1'],
  [{ value: 1 }, 'a', 'passed: output has 1 character'],
  [{ equals: 0 }, '', 'passed: output has 0 characters'],
])('judges %j for %j: %s', async (fields, output, expected) => {
  expect(await verdict(length(fields), output)).toBe(expected)
})

it('counts code points', async () => {
  expect(await verdict(length({ equals: 2 }), '💩é')).toMatch(/^passed/)
  expect(await verdict(length({ equals: 7 }), { a: 1 })).toMatch(/^passed: output has 7 characters/)
})

it('counts words by the rules of Unicode', async () => {
  const unit = 'words'
  expect(await verdict(length({ equals: 4, unit }), "I don't know, 3.5!")).toBe('passed: output has 4 words')
  expect(await verdict(length({ min: 3, unit }), '我想提交一个报销单')).toMatch(/^passed/)
  expect(await verdict(length({ equals: 0, unit }), ' … ')).toMatch(/^passed/)
})

it('counts items of arrays and keys of objects, also in JSON text', async () => {
  expect(await verdict(length({ equals: 2 }), [1, 2])).toBe('passed: output has 2 items')
  expect(await verdict(length({ equals: 2, unit: 'items' }), 'Here: ["a", "b"]')).toMatch(/^passed/)
  expect(await verdict(length({ equals: 1, unit: 'items' }), { a: 1 })).toBe('passed: output has 1 item')
  expect(await verdict(length({ max: 2, path: 'tags' }), '{"tags": ["x", "y", "z"]}')).toBe(
    'failed: tags has 3 items, expected at most 2',
  )
  expect(await verdict(length({ max: 2, unit: 'items' }), 'words')).toBe(
    'failed: output is neither a list nor an object, expected at most 2',
  )
})

it('requires limits that can be met', () => {
  expect(validationProblems(length({}))).toEqual(['max: length needs "min", "max" or "equals"'])
  expect(validationProblems(length({ min: 3, max: 2 }))).toEqual(['min: "min" is more than "max"'])
  expect(validationProblems(length({ equals: 3, max: 2 }))).toEqual([
    'equals: "equals" cannot be combined with "min" or "max"',
  ])
  expect(validationProblems(length({ equals: 3, value: 3 }))).toEqual([
    'value: "equals" and "value" are the same',
  ])
  for (const bad of [{ min: -1 }, { max: 1.5 }, { unit: 'tokens', max: 1 }]) {
    expect(validationProblems(length(bad))).toHaveLength(1)
  }
})
