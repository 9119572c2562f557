import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from '../../compile/compile.ts'
import { decodeMappings, decodeNumbers, readInlineMap } from './source-map.ts'

const digits = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/']

/** As specified: five bits per digit, the sign in the lowest bit of the number. */
function encode(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2
  let encoded = ''
  do {
    const digit = rest % 32
    rest = Math.floor(rest / 32)
    encoded += digits[rest > 0 ? digit + 32 : digit]
  } while (rest > 0)
  return encoded
}

describe('numbers of a source map', () => {
  it.each([
    ['A', [0]],
    ['C', [1]],
    ['D', [-1]],
    ['B', [-0]],
    ['e', [15]],
    ['f', [-15]],
    ['gB', [16]],
    ['hB', [-16]],
    ['2H', [123]],
    ['AACA', [0, 0, 1, 0]],
    ['gBAhBD', [16, 0, -16, -1]],
    ['+/////D', [2 ** 31 - 1]],
    ['', []],
  ])('are decoded: %s', (encoded, numbers) => {
    expect(decodeNumbers(encoded)).toEqual(numbers)
  })

  it('are decoded as they were encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (numbers) => {
        expect(decodeNumbers(numbers.map(encode).join(''))).toEqual(numbers)
      }),
    )
  })

  it('are refused with unknown digits', () => {
    expect(() => decodeNumbers('A!')).toThrow('"!" is not a digit of a source map')
  })
})

describe('mappings', () => {
  it('count columns from the start of the line, and source positions from segment to segment', () => {
    expect(decodeMappings('AAAA,IACI;;EADJ')).toEqual([
      { line: 0, column: 0, sourceLine: 0, sourceColumn: 0 },
      { line: 0, column: 4, sourceLine: 1, sourceColumn: 4 },
      { line: 2, column: 2, sourceLine: 0, sourceColumn: 0 },
    ])
  })

  it('leave out segments without a source, and names', () => {
    expect(decodeMappings('A,EAAAC;C,CACA')).toEqual([
      { line: 0, column: 2, sourceLine: 0, sourceColumn: 0 },
      { line: 1, column: 2, sourceLine: 1, sourceColumn: 0 },
    ])
  })

  it('may be empty', () => {
    expect(decodeMappings('')).toEqual([])
    expect(decodeMappings(';;')).toEqual([])
  })
})

describe('the map of a compiled file', () => {
  const source = 'interface A { a: 1 }\nexport const here: string = __dirname\n'

  it('leads to its source, past the line that is added before it', () => {
    const { code } = compile('/home/a.ts', source)
    const map = readInlineMap('/home/a.ts', code)
    expect(map?.source).toBe(source)
    expect(code.split('\n')[1]).toBe('export const here = __dirname;')
    expect(map?.segments[0]).toEqual({ line: 1, column: 0, sourceLine: 1, sourceColumn: 0 })
  })

  it('is not that of another file', () => {
    expect(readInlineMap('/home/b.ts', compile('/home/a.ts', source).code)).toBeUndefined()
  })

  it.each([
    'export const a = 1',
    'export const a = 1\n//# sourceMappingURL=a.js.map',
    'export const a = 1\n//# sourceMappingURL=data:application/json;base64,AAAA',
  ])('is absent: %j', (code) => {
    expect(readInlineMap('/home/a.ts', code)).toBeUndefined()
  })
})
