import { describe, expect, it } from 'vitest'
import { compileSchema } from './compile.ts'

const accepts = (schema: unknown, data: unknown) => {
  const { problems, faults } = compileSchema(schema)
  expect(problems).toEqual([])
  return faults(data).length === 0
}

const messagesFor = (schema: unknown, data: unknown) =>
  compileSchema(schema)
    .faults(data)
    .map(({ path, message }) => `${['$', ...path].join('.')} ${message}`)

const listProblems = (schema: unknown) =>
  compileSchema(schema).problems.map(({ path, message }) => `${path.join('.')}: ${message}`)

const draft07 = { $schema: 'http://json-schema.org/draft-07/schema#' }

/** A schema, data that it accepts, data that it rejects. */
const cases: [string, unknown, unknown[], unknown[]][] = [
  ['true and false', true, [1, null], []],
  ['false', false, [], [1, null]],
  ['an empty schema', {}, [1, null, 'a', [], {}], []],
  ['type', { type: 'object' }, [{}], [[], null, 'a', 1]],
  ['integers', { type: 'integer' }, [1, 1.0, -0, 1e3], [1.5, '1', null]],
  ['several types', { type: ['string', 'null'] }, ['a', null], [1, {}]],
  ['enum', { enum: [1, 'a', { b: [1] }, null] }, [1, 'a', { b: [1] }, null], [2, 'b', { b: [] }, false]],
  ['const', { const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }, 0]],
  ['const false and 0', { const: false }, [false], [0, null, '']],
  ['limits without a type', { minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'a', null], [0.9, 3]],
  ['multipleOf', { multipleOf: 0.01 }, [4.35, 0, 0.07, 'a'], [4.351]],
  ['multipleOf of large numbers', { multipleOf: 0.5 }, [1e308], [1.25]],
  ['lengths in code points', { minLength: 2, maxLength: 2 }, ['ab', '💩💩', 5], ['a', '💩', 'abc']],
  ['pattern, anywhere', { pattern: 'a+\\d' }, ['xa1y', 7], ['a', '']],
  ['pattern with \\u{}', { pattern: '^\\u{1F600}$' }, ['😀'], ['u']],
  [
    'pattern with the long names of Unicode',
    { pattern: '^\\p{Letter}[\\p{Decimal_Number}_]+\\P{gc=Letter}\\p{Script=Greek}$' },
    ['é1٣_!λ'],
    ['11!λ', 'é1xλ', 'é1!x'],
  ],
  ['pattern with \\u', { pattern: '^[\\u00e0-\\u00ff]+$' }, ['éü'], ['e']],
  ['properties', { properties: { a: { type: 'number' } } }, [{}, { a: 1, b: 'x' }, 'text'], [{ a: 'x' }]],
  ['required', { required: ['a', 'toString'] }, [{ a: null, toString: 1 }, []], [{ a: 1 }, {}]],
  [
    'additionalProperties false',
    { properties: { a: {} }, patternProperties: { '^x': { type: 'number' } }, additionalProperties: false },
    [{ a: 1, x1: 2 }, {}],
    [{ b: 1 }, { x1: 'no' }],
  ],
  ['additionalProperties schema', { additionalProperties: { type: 'number' } }, [{ a: 1 }], [{ a: '1' }]],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }, {}], [{ abc: 1 }]],
  ['numbers of keys', { minProperties: 1, maxProperties: 2 }, [{ a: 1 }], [{}, { a: 1, b: 1, c: 1 }]],
  ['keys set to undefined', { maxProperties: 0, required: [] }, [{ a: undefined }], [{ a: null }]],
  ['dependentRequired', { dependentRequired: { a: ['b'] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, [{ a: 1, b: 1 }], [{ a: 1 }]],
  [
    'dependencies of draft-07',
    { dependencies: { a: ['b'], c: { maxProperties: 1 } } },
    [{ a: 1, b: 1 }, { c: 1 }],
    [{ a: 1 }, { c: 1, d: 1 }],
  ],
  ['items', { items: { type: 'number' } }, [[], [1, 2], 'text'], [[1, 'a']]],
  ['prefixItems', { prefixItems: [{ const: 1 }], items: { const: 2 } }, [[], [1], [1, 2, 2]], [[2], [1, 1]]],
  ['prefixItems and no more', { prefixItems: [{}], items: false }, [[1], []], [[1, 2]]],
  ['items as a list', { items: [{ const: 1 }], additionalItems: false }, [[1], []], [[1, 2], [2]]],
  ['numbers of items', { minItems: 1, maxItems: 2 }, [[1], [1, 2]], [[], [1, 2, 3]]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [[1, '1', { a: 1 }, true], []],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  ['contains', { contains: { const: 1 } }, [[0, 1]], [[], [0]]],
  [
    'minContains and maxContains',
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [[1, 0, 1]],
    [[1], [1, 1, 1, 1]],
  ],
  ['minContains 0', { contains: { const: 1 }, minContains: 0 }, [[], [0]], []],
  ['allOf beside other keywords', { minimum: 1, allOf: [{ maximum: 3 }] }, [2], [0, 4]],
  [
    'anyOf beside other keywords',
    { required: ['a'], anyOf: [{ required: ['b'] }, true] },
    [{ a: 1 }],
    [{ b: 1 }],
  ],
  ['oneOf', { oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }] }, [3, 5], [15, 1]],
  ['not', { not: { type: 'string' } }, [1], ['a']],
  [
    'if, then, else',
    JSON.parse(
      '{"if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, "then": {"required": ["x"]}, "else": {"required": ["y"]}}',
    ),
    [{ kind: 'a', x: 1 }, { kind: 'b', y: 1 }, { y: 1 }],
    [
      { kind: 'a', y: 1 },
      { kind: 'b', x: 1 },
    ],
  ],
  [
    '$ref into $defs',
    { properties: { a: { $ref: '#/$defs/n' } }, $defs: { n: { type: 'number' } } },
    [{ a: 1 }],
    [{ a: 'x' }],
  ],
  [
    '$ref with neighbours',
    { $defs: { n: { type: 'number' } }, $ref: '#/$defs/n', minimum: 3 },
    [3],
    [2, 'a'],
  ],
  [
    '$ref without neighbours in draft-07',
    {
      ...draft07,
      definitions: { n: { type: 'number' } },
      properties: { a: { $ref: '#/definitions/n', minimum: 3 } },
    },
    [{ a: 2 }],
    [{ a: 'x' }],
  ],
  [
    'a schema within itself',
    { properties: { next: { $ref: '#' }, value: { type: 'number' } }, required: ['value'] },
    [{ value: 1, next: { value: 2 } }],
    [{ value: 1, next: {} }],
  ],
  [
    'escaped pointers, and to any place',
    { properties: { a: { $ref: '#/components/a~1b%25' } }, components: { 'a/b%': { type: 'number' } } },
    [{ a: 1 }],
    [{ a: 'x' }],
  ],
  [
    'names: $id and $anchor',
    {
      $id: 'https://example.com/root.json',
      properties: { a: { $ref: 'item.json' }, b: { $ref: '#one' } },
      $defs: { i: { $id: 'item.json', type: 'number' }, o: { $anchor: 'one', const: 1 } },
    },
    [{ a: 5, b: 1 }],
    [{ a: 'x' }, { b: 2 }],
  ],
  [
    'unevaluatedProperties through allOf, anyOf and $ref',
    {
      allOf: [{ properties: { a: {} } }],
      anyOf: [{ required: ['b'], properties: { b: {} } }, true],
      $ref: '#/$defs/c',
      unevaluatedProperties: false,
      $defs: { c: { properties: { c: {} } } },
    },
    [{ a: 1, b: 1, c: 1 }, {}],
    [{ d: 1 }],
  ],
  [
    'unevaluatedItems',
    { prefixItems: [{}], contains: { const: 7 }, unevaluatedItems: false },
    [[1, 7], [7]],
    [[1, 7, 8]],
  ],
]

describe('compileSchema', () => {
  it.each(cases)('judges %s', (_, schema, right, wrong) => {
    for (const data of right) expect(accepts(schema, data), JSON.stringify(data)).toBe(true)
    for (const data of wrong) expect(accepts(schema, data), JSON.stringify(data)).toBe(false)
  })

  it.each([
    [
      'date-time',
      ['2026-02-28T23:59:59.5Z', '2026-02-28t00:00:00+01:00'],
      ['2026-02-30T00:00:00Z', '2026-02-28', '2026-02-28T00:00:00'],
    ],
    ['date', ['2024-02-29'], ['2025-02-29', '2024-2-9']],
    ['time', ['08:30:06Z'], ['08:30', '24:00:00Z']],
    // A leap second is the last second of a day in UTC.
    [
      'time',
      ['23:59:60Z', '00:29:60.5+00:30', '15:59:60-08:00'],
      ['22:59:60Z', '23:58:60Z', '23:59:60+01:00', '23:59:61Z'],
    ],
    ['duration', ['P3Y6M4DT12H30M5S', 'P2W'], ['P', 'PT', '3 days']],
    ['duration', ['P1Y', 'P2M1D', 'PT5M', 'P1DT1S'], ['P1Y2D', 'PT1H2S', 'P1D2H', 'P1W2D']],
    ['email', ['ada@example.com', "o'neil+x@sub.example.com"], ['ada', 'a..b@example.com', 'a@b@c']],
    [
      'email',
      ['"ada b"@example.com', '"a@b"@example.com', 'ada@[127.0.0.1]', 'ada@[IPv6:::1]'],
      ['"a"b"@example.com', 'ada@[127.0.0.300]', 'ada@[IPv6:127.0.0.1]', '@example.com', 'ada@'],
    ],
    ['hostname', ['example.com', 'a'], ['-a.com', 'a_b.com', `${'a'.repeat(64)}.com`]],
    ['ipv4', ['127.0.0.1'], ['256.0.0.1', '1.2.3']],
    ['ipv6', ['::1'], ['::g', '1.2.3.4']],
    ['uri', ['https://example.com/a?b#c', 'urn:isbn:1'], ['/a', 'a b:c', 'https://example.com:abc']],
    [
      'uri',
      ['http://999.999.999.999/', 'http://[::1]:80/', 'http://a:b@c/', 'http://[v1.a:b]/', 'mailto:a@b.c'],
      [
        'http:/[::1]',
        'https://[@example.org/a',
        'http://[::1',
        'http://a@b@c/',
        'http://a/#b#c',
        'http://a/^',
      ],
    ],
    ['uri-reference', ['/a', 'https://example.com'], ['a b', '%zz']],
    [
      'uri-reference',
      ['', '../a?b=c/d?e#f', '//host/a', './1:b', '#a'],
      ['/[::1]', '//example.com:abc/p', '1:b', '//[::ffff:192.168.0.01]/p'],
    ],
    ['uuid', ['2eb8aa08-aa98-11ea-b4aa-73b441d16380'], ['2eb8aa08']],
    ['json-pointer', ['', '/a/~0b'], ['a', '/~2']],
    ['regex', ['a+', '\\u0061\\p{Letter}'], ['a(']],
    ['of-my-own', ['anything'], []],
  ])('checks the format %s of texts only', (format, right, wrong) => {
    for (const text of [...right, 7]) expect(accepts({ format }, text), String(text)).toBe(true)
    for (const text of wrong) expect(accepts({ format }, text), text).toBe(false)
  })

  it('says where and how data is wrong', () => {
    const schema = {
      type: 'object',
      required: ['id', 'items'],
      properties: {
        items: { type: 'array', items: { properties: { price: { type: 'number', minimum: 0 } } } },
      },
      additionalProperties: false,
    }
    expect(messagesFor(schema, { extra: 1, items: [{ price: 1 }, { price: '2' }, { price: -1 }] })).toEqual([
      '$.items.1.price must be a number, is "2"',
      '$.items.2.price must be at least 0, is -1',
      '$ has "extra", which is not allowed',
      '$ has no "id"',
    ])
  })

  it('reports the faults of the form that matches best', () => {
    const schema = {
      anyOf: [{ type: 'string' }, { type: 'object', properties: { kind: { const: 'a' } } }],
    }
    expect(messagesFor(schema, { kind: 'b' })).toEqual(['$.kind must be "a", is "b"'])
    expect(messagesFor(schema, 5)).toEqual([
      '$ matches none of "anyOf" (must be a string, is 5; must be an object, is 5)',
    ])
    expect(messagesFor({ oneOf: [{}, {}] }, 5)).toEqual([
      '$ must match one schema of "oneOf", matches 0 and 1',
    ])
  })

  it.each([
    [{ type: 'strin' }, 'type: "type" must be one of string, number'],
    [{ type: [] }, 'type: "type" must be one of'],
    [{ properties: { a: { pattern: '(' } } }, 'properties.a.pattern: "pattern" has a bad regular expression'],
    [{ pattern: 'a(?=b)' }, 'RE2 has no lookaheads'],
    [
      { patternProperties: { '(': {} } },
      'patternProperties: "patternProperties" has a bad regular expression',
    ],
    [{ $ref: '#/$defs/x' }, '$ref: "$ref" "#/$defs/x" is not in the schema'],
    [
      { items: { $ref: 'https://example.com/other.json' } },
      'items.$ref: "$ref" "https://example.com/other.json"',
    ],
    [{ $dynamicRef: '#x' }, '$dynamicRef: "$dynamicRef" is not supported'],
    [{ minimum: '3' }, 'minimum: "minimum" must be a number'],
    [{ exclusiveMinimum: true }, 'exclusiveMinimum: "exclusiveMinimum" must be a number'],
    [{ required: 'a' }, 'required: "required" must be a list of keys'],
    [{ required: true }, 'required: "required" must be a list of keys'],
    [{ enum: 'a' }, 'enum: "enum" must be a list of values'],
    [{ minLength: -1 }, 'minLength: "minLength" must be a whole number'],
    [{ multipleOf: 0 }, 'multipleOf: "multipleOf" must be more than 0'],
    [{ anyOf: [] }, 'anyOf: "anyOf" must be a list of schemas'],
    [{ anyOf: [1] }, 'anyOf.0: a schema must be an object'],
    [JSON.parse('{"then": {"type": 1}}'), 'then.type: "type" must be'],
    [{ $defs: { a: { type: 1 } } }, '$defs.a.type: "type" must be'],
    [{ requried: ['a'] }, 'requried: unknown keyword "requried" (did you mean "required"?)'],
    [{ additionalproperties: false }, '(did you mean "additionalProperties"?)'],
    ['text', ': a schema must be an object, true or false'],
  ])('rejects the schema %j', (schema, words) => {
    const [problem, ...others] = listProblems(schema)
    expect(problem).toContain(words)
    expect(others).toEqual([])
  })

  it.each(['title', 'x-requried', 'enumNames', 'propertyOrder', 'errorMessage', 'example', 'nullable', 'id'])(
    'ignores %s as an annotation',
    (keyword) => {
      expect(listProblems({ [keyword]: 'x' })).toEqual([])
    },
  )

  it('does not look for keywords among the names of properties', () => {
    expect(listProblems({ properties: { requried: {}, pattern: {}, $ref: { type: 'string' } } })).toEqual([])
  })

  it('terminates for circular references, deep data and hostile patterns', () => {
    expect(() => compileSchema({ $ref: '#' }).faults(1)).toThrow('circular reference')
    let deep: unknown = { value: 1 }
    for (let depth = 0; depth < 490; depth++) deep = { next: deep }
    expect(
      accepts({ properties: { next: { $ref: '#/$defs/node' } }, $defs: { node: { $ref: '#' } } }, deep),
    ).toBe(true)
    expect(accepts({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBe(false)
  })
})
