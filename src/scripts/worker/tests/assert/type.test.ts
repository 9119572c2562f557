import { describe, expect, it } from 'vitest'
import { failureOf, reasonOf } from '../testing.fixture.ts'

const samples: Record<string, unknown> = {
  string: '5',
  number: 1.5,
  boolean: false,
  object: {},
  array: [],
  null: null,
  undefined,
  function: () => 0,
  bigint: 5n,
  symbol: Symbol('s'),
  date: new Date(0),
  map: new Map(),
  set: new Set(),
  promise: Promise.resolve(),
  error: new TypeError('x'),
  regexp: /x/,
}
const areObjects = ['date', 'map', 'set', 'error', 'regexp']

describe('Type', () => {
  it.each(Object.keys(samples))('distinguishes %s from all others', async (name) => {
    for (const [other, value] of Object.entries(samples)) {
      const reason = await reasonOf(({ Type }) => Type(value, name))
      const holds = other === name || (name === 'object' && areObjects.includes(other))
      expect(reason === undefined, `${other} is ${name}`).toBe(holds)
    }
  })

  it('recognizes whole numbers', async () => {
    expect(await reasonOf(({ Type }) => Type(5, 'integer'))).toBeUndefined()
    expect(await reasonOf(({ Type }) => Type(5, 'number'))).toBeUndefined()
    for (const value of [1.5, Number.NaN, '5', 5n]) {
      expect(await reasonOf(({ Type }) => Type(value, 'integer'))).toContain('expected type integer, got ')
    }
  })

  it('shows what the value is', async () => {
    expect(await failureOf(({ Type }) => Type([1], 'object'))).toMatchObject({
      reason: 'expected type object, got [1] (an array)',
      expected: 'object',
      actual: 'array',
    })
    expect(await reasonOf(({ Type }) => Type(Promise.resolve('a'), 'string'))).toBe(
      'the value is a promise: await it',
    )
  })

  it('lists the known types', async () => {
    const reason = await reasonOf(({ Type }) => Type('a', 'String'))
    expect(reason).toContain(
      '"String" is not a type (did you mean "string"?); the known ones are string, number,',
    )
    expect(await reasonOf(({ Type }) => Type('a', String as never))).toBe(
      'Type needs the name of a type, got a function',
    )
    expect(await reasonOf(({ Type }) => Type('a', 'constructor'))).toContain('is not a type')
  })
})
