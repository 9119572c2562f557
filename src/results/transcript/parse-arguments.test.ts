import { describe, expect, it } from 'vitest'
import { readArguments } from './parse-arguments.ts'

describe('the arguments of a tool call', () => {
  it.each([
    [{ arguments: { a: 1 } }, { a: 1 }],
    [{ args: { a: 1 } }, { a: 1 }],
    [{ arguments: null, args: { a: 1 } }, { a: 1 }],
    [{ arguments: '{"a":1}' }, { a: 1 }],
    [{ args: '{"a":1}' }, { a: 1 }],
    [{ args: 'not JSON' }, 'not JSON'],
    [{ args: '' }, {}],
    [{}, {}],
  ])('of %j are %j', (call, expected) => {
    expect(readArguments(call)).toEqual(expected)
  })
})
