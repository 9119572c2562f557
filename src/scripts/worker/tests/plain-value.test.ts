import { describe, expect, it } from 'vitest'
import { toPlainValue } from './plain-value.ts'

describe('plainValue', () => {
  it('returns JSON data as it is', () => {
    const data = { a: [1, 'b', null, { c: true }], __proto__: { d: 1 } }
    expect(toPlainValue(data)).toEqual({ a: [1, 'b', null, { c: true }] })
    expect(toPlainValue('text')).toBe('text')
    expect(toPlainValue(null)).toBe(null)
  })

  it('keeps a key named __proto__', () => {
    expect(JSON.stringify(toPlainValue(JSON.parse('{"__proto__":1}')))).toBe('{"__proto__":1}')
  })

  it('returns text for values that JSON cannot hold', () => {
    expect(toPlainValue(undefined)).toBe('undefined')
    expect(toPlainValue({ a: Number.NaN, b: 5n, c: new Date(0), d: new Set([1]), e: [undefined] })).toEqual({
      a: 'NaN',
      b: '5n',
      c: '1970-01-01T00:00:00.000Z',
      d: 'Set(1) { 1 }',
      e: ['undefined'],
    })
  })

  it('returns at most 20,000 characters', () => {
    expect(toPlainValue('x'.repeat(30_000))).toHaveLength(20_001)
    const long = toPlainValue(Array.from({ length: 1_000_000 }, () => 1))
    expect(long).toMatch(/^\[1,1,.*…$/)
    expect(long).toHaveLength(20_001)
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index]))
    expect(toPlainValue(wide)).toHaveLength(20_001)
  })

  it('ends for circular and very deep values', () => {
    const ring: unknown[] = [1]
    ring.push(ring)
    expect(toPlainValue(ring)).toEqual([1, '[Circular]'])
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level++) deep = { deep }
    expect(JSON.stringify(toPlainValue(deep))).toContain('{"deep":"{…}"}')
  })

  it('says what could not be read', () => {
    const broken = {
      get a(): never {
        throw new TypeError('gone')
      },
    }
    expect(toPlainValue(broken)).toEqual({ a: 'could not be read: TypeError: gone' })
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    expect(toPlainValue({ proxy })).toBe('a value that cannot be shown')
  })
})
