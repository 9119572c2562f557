import { describe, expect, it } from 'vitest'
import { compileJsonPath } from './rfc-9535.ts'

const query = (path: string, data: unknown) => compileJsonPath(path)(data)

describe('compileJsonPath', () => {
  it('returns all matches in order', () => {
    expect(query('$..a', { a: 1, b: [{ a: 2 }, { c: { a: 3 } }] })).toEqual([1, 2, 3])
  })

  it('matches whole texts with match and parts with search', () => {
    const data = ['abc', 'xabcx', 'a\nc', 5, null]
    expect(query("$[?match(@, 'a.c')]", data)).toEqual(['abc'])
    expect(query("$[?search(@, 'a.c')]", data)).toEqual(['abc', 'xabcx'])
    expect(query("$[?match(@, '[a-c]{3}')]", data)).toEqual(['abc'])
  })

  it('does not match a line break with a dot, and only a dot with a dot in a class', () => {
    expect(query("$[?match(@, 'a.c')]", ['a\rc', 'a\u2028c', 'a😀c'])).toEqual(['a\u2028c', 'a😀c'])
    expect(query("$[?match(@, 'a[.]c')]", ['abc', 'a.c'])).toEqual(['a.c'])
    expect(query("$[?match(@, 'a\\\\.c')]", ['abc', 'a.c'])).toEqual(['a.c'])
  })

  it('accepts a pattern from the data, where an invalid one matches nothing', () => {
    const data = { pattern: 'b.*', broken: '(', list: ['abc', 'bcd'] }
    expect(query('$.list[?match(@, $.pattern)]', data)).toEqual(['bcd'])
    expect(query('$.list[?match(@, $.broken)]', data)).toEqual([])
  })

  it('rejects an invalid pattern in the path', () => {
    expect(() => compileJsonPath("$[?match(@, '(?=a)')]")).toThrow(/not a valid JSONPath: .*RE2/)
    expect(() => compileJsonPath("$[?search(@.a, '(')]")).toThrow(/RE2/)
  })

  it('does not hang on hostile patterns', () => {
    expect(query("$[?match(@, '(a+)+b')]", ['a'.repeat(50_000)])).toEqual([])
  })

  it('handles long arrays and deep data', () => {
    const long = Array.from({ length: 300_000 }, (_, index) => index)
    expect(query('$[*]', long)).toHaveLength(300_000)
    let deep: unknown = { found: 1 }
    for (let depth = 0; depth < 500; depth++) deep = { a: deep }
    expect(query('$..found', deep)).toEqual([1])
  })
})

/** The parts of RFC 9535 on which implementations are known to differ, each with the result that the RFC requires. */
describe('RFC 9535', () => {
  const list = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  const people = [{ n: 'a', age: 1 }, { n: 'b', age: null }, { n: 'c' }, { n: 'd', age: '1' }]

  it.each<[path: string, data: unknown, found: unknown[]]>([
    // The root, and members by name: exactly as written, never coerced or normalised.
    ['$', null, [null]],
    ["$['a']", { a: 1 }, [1]],
    ["$['']", { '': 1 }, [1]],
    ["$['é']", { 'e\u0301': 1 }, []],
    ["$['a\\u0062']", { ab: 1 }, [1]],
    ["$['\\uD83D\\uDE00']", { '😀': 1 }, [1]],
    ["$['\\'']", { "'": 1 }, [1]],
    ['$["\\""]', { '"': 1 }, [1]],
    ["$['0']", ['x'], []],
    ['$[0]', { 0: 'x' }, []],
    ['$.a.b', { a: null }, []],
    ['$.☺', { '☺': 1 }, [1]],
    ["$['__proto__']", JSON.parse('{"__proto__": 1}'), [1]],
    ["$['constructor']", {}, []],
    ["$['length']", [1, 2], []],
    // Indexes from both ends.
    ['$[-1]', list, [9]],
    ['$[10]', list, []],
    ['$[-11]', list, []],
    // Slices, both ways.
    ['$[1:3]', list, [1, 2]],
    ['$[:2]', list, [0, 1]],
    ['$[8:]', list, [8, 9]],
    ['$[-2:]', list, [8, 9]],
    ['$[::3]', list, [0, 3, 6, 9]],
    ['$[::-4]', list, [9, 5, 1]],
    ['$[3:0:-1]', list, [3, 2, 1]],
    ['$[1:5:0]', list, []],
    ['$[5:1]', list, []],
    ['$[100:-100:-5]', list, [9, 4]],
    ['$[1:2]', { a: 1 }, []],
    ['$[ 1 : 3 : 1 ]', list, [1, 2]],
    // Several selectors: duplicates stay, in the order written.
    ['$[1, 1, 0]', list, [1, 1, 0]],
    ["$['b', 'a']", { a: 1, b: 2 }, [2, 1]],
    ['$[*, 0]', [1, 2], [1, 2, 1]],
    ['$.*', { a: 1, b: [2] }, [1, [2]]],
    ['$.*', 5, []],
    // Descendants, the node itself first.
    ['$..[0]', [[1], [2]], [[1], 1, 2]],
    ['$..*', [[1]], [[1], 1]],
    ['$..a', { a: { a: 1 } }, [{ a: 1 }, 1]],
    // Filters: existence is not truth, and comparisons are by type.
    ['$[?@.age]', people, people.filter((person) => 'age' in person)],
    ['$[?!@.age]', people, [{ n: 'c' }]],
    ['$[?@.age == 1]', people, [people[0]]],
    ['$[?@.age == null]', people, [people[1]]],
    ["$[?@.age == '1']", people, [people[3]]],
    ['$[?@.age != 1]', people, people.slice(1)],
    ['$[?@.x == @.y]', [{}, { x: 1 }], [{}]],
    ['$[?@.age >= 1]', people, [people[0]]],
    ['$[?@ < true]', [false, true, 0], []],
    ['$[?@ <= true]', [false, true, 0], [true]],
    ["$[?@ < 'b']", ['a', 'b', 1], ['a']],
    ['$[?@ == 1.0e0]', [1, '1'], [1]],
    ['$[?@ == -0]', [0], [0]],
    [
      '$[?@[0] == @[1]]',
      [
        [1, 1],
        [[2], [2]],
        [1, 2],
      ],
      [
        [1, 1],
        [[2], [2]],
      ],
    ],
    [
      '$[?@.a == $[0].a]',
      [{ a: { b: [1] } }, { a: { b: [1] } }, { a: 1 }],
      [{ a: { b: [1] } }, { a: { b: [1] } }],
    ],
    ['$[?@.a && @.b || @.c]', [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }], [{ a: 1, b: 1 }, { c: 1 }]],
    ['$[?(@.a || @.b) && @.c]', [{ a: 1 }, { b: 1, c: 1 }], [{ b: 1, c: 1 }]],
    ['$[?!(@ == 1)]', [1, 2], [2]],
    ['$[?@.*]', [[], [1], {}, { a: 0 }], [[1], { a: 0 }]],
    ['$.o[?@ > 1]', { o: { a: 1, b: 2 } }, [2]],
    ['$[?@..x]', [[{ x: 0 }], []], [[{ x: 0 }]]],
    // Functions.
    ['$[?length(@) == 2]', ['😀a', [1, 2], { a: 1, b: 2 }, 2, 'abc'], ['😀a', [1, 2], { a: 1, b: 2 }]],
    ['$[?count(@.*) > 1]', [[1], [1, 2]], [[1, 2]]],
    ['$[?value(@..c) == 1]', [{ a: { c: 1 } }, { c: 1, d: { c: 1 } }], [{ a: { c: 1 } }]],
  ])('%s', (path, data, found) => {
    expect(query(path, data)).toEqual(found)
  })

  it.each([
    '',
    'a',
    '$.',
    '$..',
    '$a',
    ' $',
    '$ ',
    "$['a'",
    "$['\\x']",
    "$['\\uD83D']",
    '$[01]',
    '$[-0]',
    '$[1.0]',
    '$[9007199254740992]',
    '$[1:2:3:4]',
    '$[]',
    '$[,]',
    '$.0a',
    '$[?]',
    '$[?1]',
    '$[?@.a == 01]',
    '$[?@.* == 1]',
    '$[?@..a == 1]',
    '$[?@ = 1]',
    '$[?true]',
    '$[?length(@)]',
    '$[?length(@, @) == 1]',
    '$[?count(1) == 1]',
    '$[?nope(@)]',
    "$[?match(@, 'a') == true]",
  ])('%s is not a valid JSONPath', (path) => {
    expect(() => compileJsonPath(path)).toThrow('not a valid JSONPath')
  })
})
