import { describe, expect, it } from 'vitest'
import { format } from './format.ts'

const circular: Record<string, unknown> = {}
circular.self = circular

describe('a line of the log', () => {
  it.each<[string, unknown[], string]>([
    ['plain', [], 'plain'],
    ['', [], ''],
    ['%s and %s', ['a', 'b'], 'a and b'],
    ['%s', [{ a: [1] }], '{"a":[1]}'],
    ['%.2s', ['abc'], 'ab'],
    ['%d', [42], '42'],
    ['%d', [42.9], '42'],
    ['%d', ['42'], '%!d(string=42)'],
    ['%d', [null], '%!d(null=null)'],
    ['%5d|%-5d|%05d|%05d', [1, 2, 3, -4], '    1|2    |00003|-0004'],
    ['%v %v %v', ['text', 1.5, true], 'text 1.5 true'],
    ['%v', [undefined], 'undefined'],
    ['%v', [null], 'null'],
    ['%v', [new Error('no')], 'Error: no'],
    ['%+v', [{ a: 1 }], '{"a":1}'],
    ['%#v', ['text'], '"text"'],
    ['%#v', [['a']], '["a"]'],
    ['%f', [1.5], '1.500000'],
    ['%.2f', [2.71999], '2.72'],
    ['%8.3f|', [2], '   2.000|'],
    ['%f', ['x'], '%!f(string=x)'],
    ['%e', [1500], '1.500000e+3'],
    ['%g', [0.5], '0.5'],
    ['%t %t', [true, 'x'], 'true %!t(string=x)'],
    ['%q', ['say "hi"'], '"say \\"hi\\""'],
    ['%x %X', [255, 'hi'], 'ff 6869'],
    ['%X', [255], 'FF'],
    ['%T %T', ['a', null], 'string null'],
    ['100%% of %d', [7], '100% of 7'],
    ['%s and %d', ['a'], 'a and %!d(MISSING)'],
    ['%y and 5%', ['a'], '%y and 5% a'],
    ['done', ['more', { b: 2 }, 3], 'done more {"b":2} 3'],
    ['%s', ['%d'], '%d'],
  ])('%j with %j', (template, values, line) => {
    expect(format(template, values)).toBe(line)
  })

  it('shows values that are not JSON', () => {
    expect(format('%v', [circular])).toContain('[Circular')
    expect(format('%v %d %f', [1n, -3n, 2n])).toBe('1 -3 2.000000')
    expect(format('%v', [{ n: 1n }])).toBe('{ n: 1n }')
    expect(format('%v', [Symbol('x')])).toBe('Symbol(x)')
    const hostile = Object.assign(new Error('x'), {
      toString() {
        throw new Error('no')
      },
    })
    expect(format('%v', [hostile])).toContain('Error: x')
    expect(format({ a: 1 }, [])).toBe('{"a":1}')
  })
})
