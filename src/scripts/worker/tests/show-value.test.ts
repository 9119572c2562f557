import { describe, expect, it } from 'vitest'
import { reasonLine } from '../../../text/reason-line.ts'
import { describeThrownError, showBoth, showValue, showWithKind } from './show-value.ts'

class Point {
  x = 1
}

describe('a value in a reason', () => {
  const ring: Record<string, unknown> = { a: 1 }
  ring.self = ring
  it.each([
    [1, '1'],
    ['a "b"\n', '"a \\"b\\"\\n"'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Number.NaN, 'NaN'],
    [5n, '5n'],
    [Symbol('s'), 'Symbol(s)'],
    [{ a: [1, undefined, 'b'] }, '{"a":[1,undefined,"b"]}'],
    [function add() {}, '[Function add]'],
    [Point, '[class Point]'],
    [new Point(), 'Point {"x":1}'],
    [new Map([['a', 1]]), "Map(1) { 'a' => 1 }"],
    [new Date(Number.NaN), 'Invalid Date'],
    [new TypeError('no'), 'TypeError: no'],
    [{ cause: new Error('no') }, '{"cause":no}'],
    [ring, '{"a":1,"self":[Circular]}'],
    [[[[[[[[1]]]]]]], '[[[[[[[…]]]]]]]'],
    [Object.create(null), '{}'],
  ])('%o is %s', (value, text) => {
    expect(showValue(value)).toBe(text)
  })

  it('is short, however long the value is', () => {
    expect(showValue('x'.repeat(200))).toBe(`"${'x'.repeat(80)}…"`)
    expect(showValue(Array.from({ length: 1_000_000 }, () => 1)).length).toBeLessThan(100)
    expect(showValue({ text: 'x'.repeat(10_000), more: 1 }).length).toBeLessThan(100)
  })

  it('is shown with its type where that is not obvious', () => {
    expect(showWithKind('1')).toBe('"1" (a string)')
    expect(showWithKind(null)).toBe('null')
  })

  it('is shown from where it differs', () => {
    expect(showBoth('abc', 'abd')).toEqual(['"abc"', '"abd"'])
    const [expected, actual] = showBoth(`${'a'.repeat(100)}${'b'.repeat(100)}`, 'a'.repeat(100))
    expect(expected).toBe(`"…${'a'.repeat(20)}${'b'.repeat(60)}…"`)
    expect(actual).toBe(`"…${'a'.repeat(20)}"`)
  })

  it('never throws', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(showValue(proxy)).toBe('a value that cannot be shown')
    expect(showWithKind(proxy)).toBe('a value that cannot be shown (an object that cannot be read)')
    const broken = {
      get a(): never {
        throw new Error('gone')
      },
      b: 2,
    }
    expect(showValue(broken)).toBe('{"a":could not be read: gone,"b":2}')
  })
})

describe('an error in a reason', () => {
  it('is shown with its name, unless that is just Error', () => {
    expect(describeThrownError(new Error('boom'))).toBe('boom')
    expect(describeThrownError(new RangeError('too much'))).toBe('RangeError: too much')
    expect(describeThrownError(new Error())).toBe('an Error without a message')
    expect(describeThrownError(new TypeError())).toBe('TypeError')
  })

  it('may be anything', () => {
    expect(describeThrownError('text')).toBe('threw "text"')
    expect(describeThrownError(undefined)).toBe('threw undefined')
    expect(describeThrownError({ message: 5 })).toBe('5')
    const hostile = Object.defineProperty(new Error('a'), 'message', {
      get() {
        throw new Error('b')
      },
    })
    expect(describeThrownError(hostile)).toBe('an error that cannot be shown')
  })
})

describe('a reason', () => {
  it('is one line of limited length', () => {
    expect(reasonLine('a\r\nb\u001b[31mc\u2028d')).toBe('a b [31mc d')
    expect(reasonLine('x'.repeat(1000))).toHaveLength(501)
  })
})
