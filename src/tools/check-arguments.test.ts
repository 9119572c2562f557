import { describe, expect, it } from 'vitest'
import { checkArguments } from './check-arguments.ts'

const tool = {
  name: 'desk__file',
  inputSchema: {
    type: 'object',
    properties: { amount: { type: 'number' }, kind: { enum: ['taxi', 'meal'] } },
    required: ['amount'],
    additionalProperties: false,
  },
}

describe('checkArguments', () => {
  it('accepts arguments that match the schema', () => {
    expect(checkArguments(tool, { amount: 1, kind: 'taxi' })).toBeUndefined()
    expect(checkArguments({ name: 'x', inputSchema: {} }, { any: 'thing' })).toBeUndefined()
  })

  it.each([
    [{}, /amount/],
    [{ amount: '1' }, /amount must be a number/],
    [{ amount: 1, kind: 'bus' }, /kind .*taxi.*meal/],
    [{ amount: 1, note: 'x' }, /note/],
    ['{"amount": 1', /are not JSON: \{"amount": 1/],
  ])('names the fault in %j', (args, words) => {
    expect(checkArguments(tool, args)).toMatch(words)
    expect(checkArguments(tool, args)).toContain('desk__file')
  })
})
