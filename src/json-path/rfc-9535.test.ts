import { describe, expect, it } from 'vitest'
import { compileJsonPath } from './rfc-9535.ts'

const query = (path: string, data: unknown) => compileJsonPath(path)(data)

describe('compileJsonPath', () => {
  it('gives all matches in order', () => {
    expect(query('$..a', { a: 1, b: [{ a: 2 }, { c: { a: 3 } }] })).toEqual([1, 2, 3])
  })

  it('matches whole texts with match and parts of them with search', () => {
    const data = ['abc', 'xabcx', 'a\nc', 5, null]
    expect(query("$[?match(@, 'a.c')]", data)).toEqual(['abc'])
    expect(query("$[?search(@, 'a.c')]", data)).toEqual(['abc', 'xabcx'])
    expect(query("$[?match(@, '[a-c]{3}')]", data)).toEqual(['abc'])
  })

  it('lets a dot match no line break, and a dot in a class only itself', () => {
    expect(query("$[?match(@, 'a.c')]", ['a\rc', 'a\u2028c', 'a😀c'])).toEqual(['a\u2028c', 'a😀c'])
    expect(query("$[?match(@, 'a[.]c')]", ['abc', 'a.c'])).toEqual(['a.c'])
    expect(query("$[?match(@, 'a\\\\.c')]", ['abc', 'a.c'])).toEqual(['a.c'])
  })

  it('takes the pattern from the data too, where an invalid one matches nothing', () => {
    const data = { pattern: 'b.*', broken: '(', list: ['abc', 'bcd'] }
    expect(query('$.list[?match(@, $.pattern)]', data)).toEqual(['bcd'])
    expect(query('$.list[?match(@, $.broken)]', data)).toEqual([])
  })

  it('refuses an invalid pattern written in the path', () => {
    expect(() => compileJsonPath("$[?match(@, '(?=a)')]")).toThrow(/not a valid JSONPath: .*RE2/)
    expect(() => compileJsonPath("$[?search(@.a, '(')]")).toThrow(/RE2/)
  })

  it('does not hang on hostile patterns', () => {
    const started = performance.now()
    expect(query("$[?match(@, '(a+)+b')]", ['a'.repeat(50_000)])).toEqual([])
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('goes through long arrays and deep data', () => {
    const long = Array.from({ length: 300_000 }, (_, index) => index)
    expect(query('$[*]', long)).toHaveLength(300_000)
    let deep: unknown = { found: 1 }
    for (let depth = 0; depth < 500; depth++) deep = { a: deep }
    expect(query('$..found', deep)).toEqual([1])
  })
})
