import { describe, expect, it } from 'vitest'
import type { TestAssert } from '../../../protocol/testing.ts'
import { runTest } from '../testing.fixture.ts'
import { definitions } from './table.ts'

const names = Object.keys(definitions) as (keyof TestAssert)[]
const documented = `True False Equal NotEqual Nil NotNil Contains NotContains Len Greater GreaterOrEqual Less LessOrEqual
  Error NoError Panic NoPanic Match NotMatch JSONPath Type Agent`

/** Calls an assertion with any arguments, as JavaScript can. */
function call(assert: TestAssert, name: keyof TestAssert, args: readonly unknown[]): unknown {
  return Reflect.apply(assert[name], undefined, args)
}

const thenable = Object.defineProperty({}, 'then', { value: (settle: (value: unknown) => void) => settle(1) })

/** Arguments for the assertions that would pass with symbols. */
const unpleasant: Partial<Record<keyof TestAssert, unknown[]>> = { NotNil: [null], NotEqual: [1, 1] }

describe('the assertions', () => {
  it('are the documented ones', () => {
    expect(names).toEqual(documented.split(/\s+/))
  })

  it.each(names)('%s fails without arguments', async (name) => {
    const { status, failures } = await runTest(({ assert }) => call(assert, name, []))
    expect(status).toBe('failed')
    expect(failures[0]?.reason).toMatch(/^\w+ needs /)
  })

  it.each(names.filter((name) => !/Panic|Type/.test(name)))('%s asks to await a promise', async (name) => {
    const others = { Contains: 'a', NotContains: 'a', Match: 'a', NotMatch: 'a', Len: 1, Agent: 'judge' }
    const { status, failures } = await runTest(({ assert }) => {
      const second = name in others ? others[name as keyof typeof others] : 'id'
      call(assert, name, [Promise.resolve(1), second, 1])
      call(assert, name, [thenable, second, 1])
    })
    expect(status).toBe('failed')
    expect(failures).toHaveLength(2)
    for (const { reason } of failures) expect(reason).toMatch(/ is a promise: await it$/)
  })

  it.each(['NotEqual', 'NotContains', 'NotMatch'] as const)(
    '%s asks to await the other side',
    async (name) => {
      const { failures } = await runTest(({ assert }) => call(assert, name, ['a', Promise.resolve('b')]))
      expect(failures[0]?.reason).toMatch(/ is a promise: await it$/)
    },
  )

  it.each(names)('%s reports the message of its author', async (name) => {
    const refusing = { validate: () => ({ passed: false, reason: 'no' }) }
    const total = name === 'Agent' ? 3 : definitions[name].takes.length
    const given = unpleasant[name] ?? Array.from({ length: total }, () => Symbol('x'))
    if (name === 'Agent') given[1] = 'judge'
    const { reason, failures } = await runTest(
      ({ assert }) => call(assert, name, [...given, 'as it should']),
      {
        bridge: refusing,
      },
    )
    expect(failures[0]).toMatchObject({ type: name, message: 'as it should' })
    expect(reason).toMatchObject({ kind: 'assertion', message: 'assertion failed: as it should' })
  })
})
