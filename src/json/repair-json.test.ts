import { describe, expect, it } from 'vitest'
import { repairJson, repairNote } from './repair-json.ts'

describe('repairJson', () => {
  it.each<[string, unknown, string[]]>([
    ['{"a": [1, 2,],}', { a: [1, 2] }, ['trailing comma']],
    ["{'a': 'b'}", { a: 'b' }, ['single quotes']],
    ['{a: 1, 2: 3}', { a: 1, 2: 3 }, ['unquoted keys']],
    ['{"a": 1} // done', { a: 1 }, ['comments']],
    ['{"a": /* one */ 1}', { a: 1 }, ['comments']],
    ['{"a": True, "b": None}', { a: true, b: null }, ['words of Python']],
    ['{"a": "one\ntwo"}', { a: 'one\ntwo' }, ['line breaks in strings']],
    [`{"a": "it\\'s"}`, { a: "it's" }, ['bad escapes']],
    ['{"a": [1, {"b": 2], "c": 3}', { a: [1, { b: 2 }], c: 3 }, ['missing brackets']],
    ['{"a": [1, 2', { a: [1, 2] }, ['cut off']],
    ['{"a": "hel', { a: 'hel' }, ['cut off']],
    ['{"a": 1, ', { a: 1 }, ['cut off']],
    ["['a', 'b',]", ['a', 'b'], ['single quotes', 'trailing comma']],
    ['```json\n[{"a": 1},]\n```', [{ a: 1 }], ['trailing comma']],
    ['{"a": [true, null, -1.5e3, "x"]}', { a: [true, null, -1500, 'x'] }, []],
  ])('repairs %j and names the repairs', (text, value, repairs) => {
    expect(repairJson(text)).toEqual({ value, repairs })
  })

  it.each([
    '',
    'None',
    "'a'",
    '[see below]',
    '{name}',
    '{name: Ada}',
    '[x] done',
    'Here: {"a": 1,}',
    '{"a": 1,} as asked',
    '[1] Smith, 2020',
  ])('does not repair prose: %j', (text) => {
    expect(repairJson(text)).toBeUndefined()
  })

  it('repairNote lists the repairs', () => {
    expect(repairNote(['single quotes', 'cut off'])).toBe(' (the JSON was repaired: single quotes, cut off)')
    expect([repairNote([]), repairNote()]).toEqual(['', ''])
  })
})
