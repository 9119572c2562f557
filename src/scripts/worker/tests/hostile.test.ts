import { afterEach, describe, expect, it } from 'vitest'
import type { TestReport } from '../../protocol/report.ts'
import type { TestAssert, TestObject } from '../../protocol/testing.ts'
import { runTest } from './testing.fixture.ts'

const undo: (() => void)[] = []

afterEach(() => {
  for (const restore of undo.splice(0)) restore()
})

/** Replaces a built-in function while the test runs. */
function replace(holder: object, name: PropertyKey, value: unknown): void {
  const original = Object.getOwnPropertyDescriptor(holder, name)
  undo.push(() => {
    if (original === undefined) Reflect.deleteProperty(holder, name)
    else Reflect.defineProperty(holder, name, original)
  })
  Reflect.defineProperty(holder, name, { value, configurable: true, writable: true })
}

async function restoredAfter(test: (t: TestObject) => unknown): Promise<TestReport> {
  const report = await runTest((t) => {
    t.cleanup(() => {
      while (undo.length > 0) {
        const last = undo[undo.length - 1]
        undo.length -= 1
        last?.()
      }
    })
    return test(t)
  })
  return report
}

// Created beforehand: with a broken iterator they would be empty.
const maps = [new Map([['a', 1]]), new Map([['a', 2]])]
const sets = [new Set([{ a: 1 }]), new Set([{ a: 2 }])]

/** All of these must fail, whatever has become of the built-in functions. */
function allWrong(assert: TestAssert): unknown[] {
  return [
    assert.True('true'),
    assert.False(undefined),
    assert.Equal([1, { a: 2 }], [1, { a: 3 }]),
    assert.Equal(maps[0], maps[1]),
    assert.Equal(sets[0], sets[1]),
    assert.Equal(new Date(1), new Date(2)),
    assert.Equal(/a/, /b/),
    assert.NotEqual({ a: [1] }, { a: [1] }),
    assert.Contains('abc', 'x'),
    assert.NotContains('abc', 'b'),
    assert.Contains([1, 2], 3),
    assert.Len([1], 2),
    assert.Len('日本', 3),
    assert.Greater(1, 2),
    assert.Less(new Date(2), new Date(1)),
    assert.Error(null),
    assert.NoError('no'),
    assert.Panic(() => 1),
    assert.Match('abc', /x/),
    assert.NotMatch('abc', /b/),
    assert.Type([], 'object'),
  ]
}

const replaced: [string, object, PropertyKey, unknown][] = [
  ['Array.prototype.map', Array.prototype, 'map', () => []],
  ['Array.prototype.push', Array.prototype, 'push', () => 0],
  ['Array.prototype.includes', Array.prototype, 'includes', () => true],
  ['Array.isArray', Array, 'isArray', () => true],
  ['the iterator of arrays', Array.prototype, Symbol.iterator, () => ({ next: () => ({ done: true }) })],
  ['Object.keys', Object, 'keys', () => []],
  ['Object.is', Object, 'is', () => true],
  ['Object.entries', Object, 'entries', () => []],
  ['Object.prototype.hasOwnProperty', Object.prototype, 'hasOwnProperty', () => true],
  ['Object.prototype.propertyIsEnumerable', Object.prototype, 'propertyIsEnumerable', () => true],
  ['JSON.stringify', JSON, 'stringify', () => '1'],
  ['String.prototype.includes', String.prototype, 'includes', () => true],
  ['String.prototype.replace', String.prototype, 'replace', undefined],
  ['String.prototype.slice', String.prototype, 'slice', undefined],
  ['RegExp.prototype.exec', RegExp.prototype, 'exec', () => ['abc']],
  ['RegExp.prototype.test', RegExp.prototype, 'test', () => true],
  ['Map.prototype.get', Map.prototype, 'get', () => 1],
  ['Map.prototype.forEach', Map.prototype, 'forEach', () => undefined],
  ['Set.prototype.has', Set.prototype, 'has', () => true],
  ['Date.prototype.getTime', Date.prototype, 'getTime', () => 0],
  ['Function.prototype.call', Function.prototype, 'call', () => true],
  ['Function.prototype.apply', Function.prototype, 'apply', () => true],
  ['Reflect.apply', Reflect, 'apply', () => true],
  ['performance.now', performance, 'now', undefined],
  ['Error.captureStackTrace', Error, 'captureStackTrace', undefined],
]

describe('built-in functions that the user replaced', () => {
  it.each(replaced)('do not make a failing test pass: %s', async (_, holder, name, value) => {
    const answers: unknown[] = []
    const report = await restoredAfter((t) => {
      const { assert } = t
      replace(holder, name, value)
      const wrong = allWrong(assert)
      for (let index = 0; index < wrong.length; index++) answers[index] = wrong[index]
    })
    expect(report.status).toBe('failed')
    expect(report.failures).toHaveLength(21)
    expect(answers).toEqual(Array.from({ length: 21 }, () => false))
  })
})

describe('hostile values', () => {
  const boom = () => {
    throw new Error('boom')
  }
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    return proxy
  }
  const hostile: [string, () => unknown][] = [
    ['a revoked proxy', revoked],
    [
      'a proxy whose traps throw',
      () => new Proxy({}, { get: boom, ownKeys: boom, getPrototypeOf: boom, has: boom }),
    ],
    ['an object whose getters throw', () => Object.defineProperty({}, 'a', { get: boom, enumerable: true })],
    [
      'an object that throws from toString and toJSON',
      () => ({ toString: boom, toJSON: boom, valueOf: boom }),
    ],
    ['an error without anything', () => Object.defineProperty(new Error('a'), 'message', { get: boom })],
    ['a function whose name throws', () => Object.defineProperty(() => 1, 'name', { get: boom })],
  ]

  it.each(hostile)('fail an assertion, but not the run: %s', async (_, make) => {
    const report = await runTest(({ assert }) => {
      assert.True(make(), make() as string)
      assert.Equal(make(), { a: 1 })
      assert.Contains([make()], 5)
      assert.Nil(make())
      assert.Len(make(), 1)
      assert.Greater(make(), 1)
      assert.Match(make(), 'a')
      assert.Type(make(), 'string')
      assert.JSONPath(make(), 'b', 1)
    })
    expect(report.status).toBe('failed')
    expect(report.failures).toHaveLength(9)
    expect(JSON.parse(JSON.stringify(report)).failures).toHaveLength(9)
  })

  it.each(hostile)('fail a test that throws them: %s', async (_, make) => {
    const report = await runTest(() => {
      throw make()
    })
    expect(report).toMatchObject({ status: 'failed', reason: { kind: 'threw', message: expect.any(String) } })
  })

  it.each(hostile)('can be logged and given as a reason: %s', async (_, make) => {
    const report = await runTest((t) => {
      t.log(make())
      t.error(make())
      t.fail(make())
    })
    expect(report).toMatchObject({ status: 'failed', reason: { message: expect.any(String) } })
  })

  it('fail the test when they are returned as a promise', async () => {
    const report = await runTest(() => Object.defineProperty({}, 'then', { get: boom }))
    expect(report).toMatchObject({ status: 'failed', reason: { message: 'boom' } })
  })
})

describe('t', () => {
  it('cannot be changed', async () => {
    const report = await runTest((t) => {
      t.assert.True(false)
      Reflect.set(t, 'failed', false)
      Reflect.set(t.assert, 'Equal', () => true)
      Reflect.set(t, 'assert', {})
      t.assert.Equal(1, 2)
    })
    expect(report.failures).toHaveLength(2)
  })

  it('fails a test when Error is frozen', async () => {
    const report = await restoredAfter((t) => {
      replace(Error, 'stackTraceLimit', 5)
      Object.defineProperty(Error, 'stackTraceLimit', { writable: false })
      try {
        t.assert.True(false)
      } catch {}
    })
    expect(report.failures).toHaveLength(1)
  })
})
