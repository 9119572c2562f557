import { describe, expect, it } from 'vitest'
import type { Turn } from '../../results/transcript/turn.ts'
import { expectsSomething, ReplyLikeness } from './like-reply.ts'

const turns = (...said: [input: string, reply: string][]) =>
  said.map(([input, content]) => ({
    input: { value: input, message: { role: 'user', content: input } },
    reply: { content, output: content, messages: [], toolCalls: [] },
  })) as unknown as Turn[]

const check = (assertion: { type: string; negate?: boolean }) =>
  ({ kind: 'assertion', check: { where: 'turn', assertion } }) as const

describe('expectsSomething', () => {
  it('a check that any other reply fails expects something', () => {
    expect(expectsSomething(check({ type: 'contains' }))).toBe(true)
    expect(expectsSomething(check({ type: 'judge' }))).toBe(true)
    expect(expectsSomething(check({ type: 'contains', negate: true }))).toBe(false)
    expect(expectsSomething(check({ type: 'not_contains' }))).toBe(false)
    expect(expectsSomething({ kind: 'timeout' })).toBe(false)
  })
})

describe('ReplyLikeness', () => {
  const recorded = turns(['Hello', 'Hi'], ['Confirm order 17', 'Order 17 cannot be found anywhere'])
  const known = () => {
    const likeness = new ReplyLikeness(recorded)
    expect(likeness.accepts(recorded)).toBe(true)
    return likeness
  }

  it.each([
    ['the same', turns(['Confirm order 17', 'Order 17 cannot be found anywhere'])],
    ['another number', turns(['Confirm', 'Order 99 cannot be found anywhere'])],
    ['a few other words', turns(['Confirm', 'This order cannot be found'])],
  ])('%s is the same mistake', (_, reply) => {
    expect(known().accepts(reply)).toBe(true)
  })

  it.each([
    ['an answer to something else', turns(['Confirm', 'What would you like to confirm?'])],
    ['nothing', turns(['Confirm', ''])],
  ])('%s is not', (_, reply) => {
    expect(known().accepts(reply)).toBe(false)
  })

  it('what the agent repeats of the message does not count', () => {
    const echo = new ReplyLikeness(
      turns(['please confirm the table for Sunday', 'fault: please confirm the table for Sunday']),
    )
    expect(echo.accepts(turns(['please confirm the table', 'fault: please confirm the table']))).toBe(true)
    expect(echo.accepts(turns(['Sunday', 'fault: Sunday']))).toBe(true)
    expect(echo.accepts(turns(['Sunday', 'noted: Sunday']))).toBe(false)
  })

  it('an agent that always answers in other words is not held to them', () => {
    const likeness = new ReplyLikeness(recorded)
    expect(likeness.accepts(turns(['Confirm', 'Alas, nowhere']))).toBe(true)
    expect(likeness.accepts(turns(['Confirm', 'Quite something else']))).toBe(true)
  })
})
