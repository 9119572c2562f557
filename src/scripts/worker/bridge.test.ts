import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { askingScripts, closeAskingHosts } from '../../../test/fixtures/scripts/asking.ts'
import { failure } from '../../../test/fixtures/scripts/hosts.ts'
import { InfrastructureError } from '../../errors.ts'

afterAll(closeAskingHosts)

/** Evaluates an expression in a script, with errors as data. */
const tryExpression = (code: string) =>
  `export const run = (ctx, ...args) => { try { return { value: ${code} } } catch (error) { return { ...error, name: error.name, message: error.message } } }`

describe('a request', () => {
  it('blocks until it is answered, awaited or not', async () => {
    const { run, asked } = await askingScripts(
      `export const plain = (ctx, n) => Process('double', n) + Process('double', 1)
      export async function awaited(ctx, n) { return (await Process('double', n)) + 1 }`,
      { double: async ({ args: [n] }) => pause(5, Number(n) * 2) },
    )
    expect(await run('plain', [20])).toBe(42)
    expect(await run('awaited', [20])).toBe(41)
    expect(asked[0]).toEqual({ kind: 'process', name: 'double', args: [20] })
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['false', false],
    ['an empty text', ''],
    ['all kinds of characters', 'ü\u2028\u0000👋\ud800'],
    ['data', { a: [1, { b: null }] }],
    ['an error as data', { ok: false, failure: 'no' }],
  ])('may be answered with %s', async (_, answer) => {
    const { run } = await askingScripts(`export const run = () => [Process('x')]`, { x: () => answer })
    expect(await run('run')).toEqual([answer ?? null])
  })

  it('may be one of very many', async () => {
    const source = `export const run = () => { let n = 0; for (let i = 0; i < 1000; i++) n = Process('next', n); return n }`
    const { run } = await askingScripts(source, { next: ({ args: [n] }) => Number(n) + 1 })
    expect(await run('run')).toBe(1000)
  })

  it('carries a key named __proto__ both ways, as data', async () => {
    const { run } = await askingScripts(
      `export const run = () => {
        const answer = Process('echo', JSON.parse('{"__proto__":{"admin":true}}'))
        return [JSON.stringify(answer), answer.admin === undefined, ({}).admin === undefined]
      }`,
      { echo: ({ args: [given] }) => given },
    )
    expect(await run('run')).toEqual(['{"__proto__":{"admin":true}}', true, true])
  })

  it('needs a name', async () => {
    const { run } = await askingScripts(tryExpression('Process(args[0])'), {})
    for (const name of ['', 7, null])
      expect(await run('run', [name])).toMatchObject({
        name: 'TypeError',
        message: expect.stringContaining('needs the name'),
      })
  })

  it('that is not made costs nothing: no messages are sent', async () => {
    const { run, asked, logs } = await askingScripts(`export const run = () => 1`, {})
    expect(await Promise.all(Array.from({ length: 8 }, () => run('run')))).toEqual(Array(8).fill(1))
    expect([asked, logs]).toEqual([[], []])
  })
})

describe('a value that is not JSON', () => {
  it.each([
    ['a function', '() => 1', 'args[0] is a function: only JSON data can be passed on'],
    ['a BigInt', '{ total: [1n] }', 'args[0].total[0] is a BigInt: only JSON data can be passed on'],
    ['a map', 'new Map()', 'args[0] is a Map: only JSON data can be passed on'],
    ['a promise', 'Promise.resolve(1)', 'args[0] is a Promise: only JSON data can be passed on'],
    [
      'a cycle',
      '(() => { const a = {}; a.a = a; return a })()',
      'args[0].a contains itself: only JSON data can be passed on',
    ],
    ['too large', '"x".repeat(65 * 1024 * 1024)', 'the call is larger than 64 MB of JSON'],
  ])('is not sent: %s', async (_, code, message) => {
    const { run, asked } = await askingScripts(tryExpression(`Process('x', ${code})`), { x: () => 1 })
    expect(await run('run')).toMatchObject({ message })
    expect(asked).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['a function', () => 1, 'the answer is a function: only JSON data can be passed to a script'],
    ['a BigInt', { total: 1n }, 'total is a BigInt: only JSON data can be passed to a script'],
    ['not a number', [Number.NaN], '[0] is NaN: only JSON data can be passed to a script'],
    ['a map', new Map(), 'the answer is a Map: only JSON data can be passed to a script'],
    ['too large', 'x'.repeat(65 * 1024 * 1024), 'the answer is larger than 64 MB of JSON'],
  ])('is not accepted as an answer: %s', async (_, answer, message) => {
    const { run } = await askingScripts(tryExpression(`Process('x')`), { x: () => answer })
    expect(await run('run')).toMatchObject({ message })
  })

  it('is different from a large one, which is sent', async () => {
    const { run } = await askingScripts(
      `export const run = (ctx, n) => Process('text', 'x'.repeat(n)).length`,
      {
        text: ({ args: [text] }) => `${text}${text}`,
      },
    )
    expect(await run('run', [8_000_000])).toBe(16_000_000)
  })
})

describe('an error as an answer', () => {
  it('is thrown where the request was made, with its name and message', async () => {
    const { run } = await askingScripts(tryExpression(`Process('x')`), {
      x: () => {
        throw new RangeError('too far')
      },
    })
    expect(await run('run')).toEqual({ name: 'RangeError', message: 'too far' })
  })

  it('of the infrastructure stays one, both for a script that catches it and for the caller', async () => {
    const { run } = await askingScripts(
      `${tryExpression(`Process('x')`)}
      export const uncaught = () => Process('x')
      export const outer = () => Process('inner')`,
      {
        x: () => Promise.reject(new InfrastructureError('rate_limit', '429 from api.example.com')),
        inner: ({ run }) => run('uncaught'),
      },
    )
    const failed = { name: 'InfrastructureError', kind: 'rate_limit', message: '429 from api.example.com' }
    expect(await run('run')).toEqual({
      name: 'Error',
      message: failed.message,
      vivaInfrastructure: 'rate_limit',
    })
    expect(await failure(run('uncaught'))).toMatchObject(failed)
    expect(await failure(run('outer'))).toMatchObject(failed)
  })

  it('of another script keeps its name', async () => {
    const { run } = await askingScripts(
      `${tryExpression(`Process('inner')`)}
      export const broken = () => { throw Object.assign(new TypeError('no room'), { name: 'BookingError' }) }`,
      { inner: ({ run }) => run('broken') },
    )
    expect(await run('run')).toEqual({ name: 'BookingError', message: 'no room' })
  })

  const hostile = () => ({
    get message(): string {
      throw new Error('never')
    },
  })
  it.each<[string, unknown, string]>([
    ['a text', 'busy', 'busy'],
    ['nothing', undefined, 'undefined'],
    ['data', { status: 503 }, '{"status":503}'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['an object without a prototype', Object.create(null), '{}'],
    ['an object that cannot be inspected', hostile(), 'an error that cannot be shown'],
    [
      'an error that cannot be inspected',
      Object.setPrototypeOf(hostile(), Error.prototype),
      'cannot be shown',
    ],
    ['an error without a text', Object.assign(new Error(), { message: 1n }), '1'],
  ])('may be %s', async (_, thrown, message) => {
    const { run } = await askingScripts(tryExpression(`Process('x')`), { x: () => Promise.reject(thrown) })
    expect(await run('run')).toMatchObject({ name: 'Error', message: expect.stringContaining(message) })
  })

  it('does not end the script', async () => {
    const { run } = await askingScripts(
      `export const run = () => { try { Process('bad') } catch {} return Process('good') }`,
      { bad: () => Promise.reject(new Error('no')), good: () => 'fine' },
    )
    expect(await run('run')).toBe('fine')
  })
})
