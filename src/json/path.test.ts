import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePath } from './path.ts'

const find = (path: string, data: unknown) => compilePath(path).find(data)

describe('compilePath', () => {
  const data = {
    'user-id': 1,
    'first name': 'Ada',
    '@type': 'Person',
    $ref: '#',
    items: [
      { id: 'a', tags: ['x'] },
      { id: 'b', tags: [] },
    ],
    '0': 'zero',
    empty: null,
  }

  it.each([
    ['user-id', 1],
    ['$.user-id', 1],
    ['first name', 'Ada'],
    ['$.@type', 'Person'],
    ['$ref', '#'],
    ['$.$ref', '#'],
    ['items.0.id', 'a'],
    ['items[0].id', 'a'],
    ['$.items[-1].id', 'b'],
    ['$.items[0].tags[0]', 'x'],
    ['$.0', 'zero'],
    ['empty', null],
  ])('follows the plain path %s', (path, value) => {
    expect(find(path, data)).toEqual({ value })
  })

  it('returns the whole data for $', () => {
    expect(find('$', data)).toEqual({ value: data })
    expect(find('$[0]', [7])).toEqual({ value: 7 })
    expect(find('[0].a', [{ a: 7 }])).toEqual({ value: 7 })
  })

  it.each([
    'nothing',
    'items.2',
    'items[2]',
    'items[-3]',
    'items.id',
    'user-id.x',
    'items.length',
    'empty.x',
    'toString',
    '__proto__',
    'constructor.name',
    "$['__proto__']",
  ])('finds nothing at %s', (path) => {
    expect(find(path, data)).toBeUndefined()
  })

  it.each([
    ['$.items[*].id', ['a', 'b']],
    ['items[*].id', ['a', 'b']],
    ["$['user-id']", 1],
    ["$.items[?@.id=='b'].tags", []],
    ['$..id', ['a', 'b']],
    ['..id', ['a', 'b']],
    ['$.items[0:1].id', 'a'],
    ['$.items[?length(@.tags) > 0].id', 'a'],
  ])('follows the JSONPath %s', (path, value) => {
    expect(find(path, data)).toEqual({ value })
  })

  it.each([
    '$.items[',
    '$.items[?',
    '$.',
    'a..',
    '$.a.[0]',
    "$['a",
    '$.items[?foo(@)]',
    'a[01]',
    '$. a',
    '*[',
  ])('rejects %s', (path) => {
    expect(() => compilePath(path)).toThrow(/^not a valid JSONPath: ./)
  })

  it('finds nothing without data', () => {
    for (const path of ['$', 'a', '$..a', '$[*]']) expect(find(path, undefined)).toBeUndefined()
  })

  it('finds any key of any object by its plain path', () => {
    const key = fc.string({ minLength: 1 }).filter((name) => /^(?!\s)[^.[\]()*?'"$]+(?<!\s)$/.test(name))
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), fc.jsonValue(), (keys, value) => {
        const nested = keys.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value)
        expect(find(keys.join('.'), nested)).toEqual({ value })
        expect(find(`$.${keys.join('.')}`, nested)).toEqual({ value })
      }),
    )
  })
})
