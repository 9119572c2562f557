import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createPlainScope } from '../scope/plain-scope.ts'
import { noCheckHelpers } from './check-helpers.ts'
import { conversation, validationProblems } from './conversation.fixture.ts'
import { assertionReference, assertionSchema, compileExpected } from './list.ts'

const supported = [
  ...['equals', 'contains', 'not_contains', 'icontains', 'contains_any', 'contains_all'],
  ...['starts_with', 'ends_with', 'regex', 'similar', 'length', 'json_path', 'json_schema', 'type'],
  ...[
    'tool_called',
    'tool_not_called',
    'tool_result',
    'tool_order',
    'awaiting_input',
    'latency',
    'cost',
    'state',
    'snapshot',
    'script',
    'agent',
    'judge',
  ],
  ...['all_of', 'any_of', 'n_of'],
]

describe('assertionSchema', () => {
  it.each([
    { type: 'equals', value: { need_search: false } },
    { type: 'contains', value: 'keyword' },
    { type: 'not_contains', value: 'error' },
    { type: 'json_path', path: '$.need_search', value: false },
    { type: 'regex', value: '\\d{3}-\\d{4}' },
    { type: 'regex', pattern: 'order-\\d+' },
    { type: 'type', value: 'object' },
    { type: 'type', path: '$.count', value: 'number' },
    { type: 'tool_called', name: 'create_expense' },
    {
      type: 'contains',
      value: 'error',
      negate: true,
      message: 'no',
      weight: 0.5,
      gates: false,
      scope: 'all',
    },
    { type: 'contains', value: 'error', turn: 2, path: 'a.b' },
  ])('accepts %j', (assertion) => {
    expect(assertionSchema.parse(assertion)).toEqual(assertion)
  })

  it('reports an unknown key with its path and a suggestion', () => {
    const { error } = z.array(assertionSchema).safeParse([{ type: 'contains', value: 'a', mesage: 'x' }])
    expect(error?.issues).toMatchObject([
      {
        code: 'unrecognized_keys',
        keys: ['mesage'],
        path: [0],
        message: expect.stringContaining('"message"'),
      },
    ])
  })

  it('reports all problems of an assertion at once', () => {
    expect(validationProblems({ type: 'regex', pattern: '(', foo: 1, scope: 'any', turn: 1 })).toEqual([
      ': unknown key "foo"',
      'scope: "turn" and "scope" cannot be combined',
      expect.stringMatching(/^pattern: /),
    ])
  })

  it('reports an unknown type with suggestions and all types', () => {
    expect(validationProblems({ type: 'notContains', value: 1 })).toEqual([
      expect.stringContaining(
        'type: unknown assertion type "notContains" (did you mean "not_contains" or "contains" or "icontains"?): the types are equals, contains, ',
      ),
    ])
    expect(validationProblems({ type: 'llm-rubric', value: 1 })).toEqual([
      expect.stringMatching(
        /"llm-rubric" \(did you mean "judge"\?\): the types are equals, .*, any_of, n_of$/,
      ),
    ])
    expect(validationProblems({ type: 'colour' })).toEqual([
      expect.stringContaining('unknown assertion type "colour": the types are equals, '),
    ])
  })

  it('describes an assertion if it gets something else', () => {
    expect(validationProblems('contains')).toEqual([': an assertion is an object with a "type"'])
    expect(validationProblems(null)).toEqual([': an assertion is an object with a "type"'])
    expect(validationProblems({ value: 1 })).toEqual(['type: an assertion needs a "type"'])
    expect(validationProblems({ type: 7 })).toEqual(['type: the "type" of an assertion must be a string'])
  })

  it.each([
    { weight: -1 },
    { turn: 0 },
    { turn: 1.5 },
    { scope: 'some' },
    { negate: 'yes' },
    { path: '' },
    { path: 'a[' },
    { gates: 1 },
  ])('rejects %j', (fields) => {
    const [problem, ...others] = validationProblems({ type: 'contains', value: 'a', ...fields })
    expect(problem).toMatch(new RegExp(`^${Object.keys(fields)[0]}: `))
    expect(others).toEqual([])
  })

  it('converts to a JSON Schema with one closed object per type', () => {
    const caseSchema = z.object({ assertions: z.array(assertionSchema) })
    const schema = JSON.parse(JSON.stringify(z.toJSONSchema(caseSchema, { io: 'input' })))
    const oneOf: { properties: { type: { const: string } } }[] = schema.$defs.assertion.oneOf.map(
      ({ $ref }: { $ref: string }) => schema.$defs[$ref.split('/').at(-1) ?? ''],
    )
    expect(schema.properties.assertions.items).toEqual({ $ref: '#/$defs/assertion' })
    expect(oneOf.map(({ properties }) => properties.type.const)).toEqual(supported)
    for (const each of oneOf) expect(each).toMatchObject({ type: 'object', additionalProperties: false })
    expect(oneOf[0]).toMatchObject({ required: ['type', 'value'] })
  })
})

describe('compileExpected', () => {
  const run = async (expected: unknown, ...outputs: unknown[]) => {
    const view = conversation(outputs.map((output) => ({ output })))
    return compileExpected(expected, noCheckHelpers).run(view, view.turns.length, createPlainScope())
  }

  it('compiles to equals on the last reply', async () => {
    expect(compileExpected('x', noCheckHelpers).type).toBe('equals')
    expect(await run({ a: 1 }, 'no', '```json\n{"a": 1}\n```')).toMatchObject({
      type: 'equals',
      status: 'passed',
      fields: { value: { a: 1 } },
    })
    expect(await run('OK', 'OK', 'KO')).toMatchObject({
      status: 'failed',
      reason: 'output is "KO", expected "OK"',
    })
  })

  it('can expect null', async () => {
    expect(await run(null, 'null')).toMatchObject({ status: 'passed', expected: null, actual: null })
  })
})

describe('assertionReference', () => {
  const reference = assertionReference()

  it.each(supported)('has a row, the fields and a valid example of %s', (type) => {
    expect(reference).toContain(`| [\`${type}\`](#${type}) |`)
    const section = reference.split(`\n## ${type}\n`)[1]?.split('\n## ')[0] ?? ''
    const example = /```json\n(.*)\n```/.exec(section)?.[1] ?? ''
    expect(validationProblems(JSON.parse(example))).toEqual([])
    expect(section).toContain('| field | type | meaning |')
    expect(section).not.toContain('|  |')
  })

  it('describes the fields that every assertion takes', () => {
    for (const field of ['negate', 'message', 'path', 'weight', 'gates', 'turn', 'scope']) {
      expect(reference).toContain(`| \`${field}\`? |`)
    }
  })
})

describe('the folder', () => {
  it('has a file of the name of every type, and a test beside it', () => {
    const files = readdirSync(import.meta.dirname)
    for (const type of supported) {
      const name = type.replaceAll('_', '-')
      expect(files).toContain(`${name}.ts`)
      expect(files).toContain(`${name}.test.ts`)
    }
  })
})
