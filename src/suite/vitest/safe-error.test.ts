import { expect, it, vi } from 'vitest'
import { safeError } from './safe-error.ts'

const secret = 'sk-of-a-safe-error-1'
const place = { file: 'orders.test.ts', line: 3, column: 5 }

it('a new error has the stack of the old one, with the message as it is now', () => {
  const thrown = Object.freeze(
    Object.assign(new Error('before'), { message: 'after\n    at not.a.frame:1:1' }),
  )
  const error = safeError(thrown, { place, say: (message) => `play 2: ${message}` })
  expect(error).not.toBe(thrown)
  expect(error.message).toBe('play 2: after\n    at not.a.frame:1:1')
  const frames = (stack = '') => stack.split('\n').filter((line) => line.includes('safe-error.test.ts'))
  expect(frames(error.stack)).toEqual(frames(thrown.stack))
  expect(frames(error.stack).length).toBeGreaterThan(0)
})

it('what has no stack is at the place of the case', () => {
  for (const thrown of ['a text', 7, null, undefined, { message: 'not an error' }])
    expect(safeError(thrown, { place }).stack).toMatch(/^Error: .+\n {4}at orders\.test\.ts:3:5$/)
})

it('further fields of an error are kept: texts without secrets, objects as short texts', () => {
  vi.stubEnv('MY_API_KEY', secret)
  const request = { headers: { key: secret }, socket: { parser: { socket: { deep: { deeper: 1 } } } } }
  const error = safeError(
    Object.assign(new Error('refused'), { status: 403, code: `${secret} refused`, request }),
  )
  vi.unstubAllEnvs()
  expect(error).toMatchObject({
    status: 403,
    code: '[redacted] refused',
    request: "{ headers: { key: '[redacted]' }, socket: { parser: { socket: [Object] } } }",
  })
})

it('the values of a difference stay as they are, unless something in them must not be shown', () => {
  const expected = new Map([['a', 1]])
  const actual = { cause: new Error('x', { cause: new Error('red \u001b[31m') }) }
  const error = safeError(Object.assign(new Error('differs'), { expected, actual }))
  expect(error).toHaveProperty('expected', expected)
  expect(error).toHaveProperty('actual', { cause: { name: 'Error', message: 'x' } })
})
