import { describe, expect, it } from 'vitest'
import { judge, validationProblems, verdict } from './conversation.fixture.ts'

const jsonPath = (path: string, value?: unknown, more = {}) => ({
  type: 'json_path',
  path,
  ...(value !== undefined && { value }),
  ...more,
})

describe('json_path', () => {
  const output = { status: 'draft', items: [{ id: 'a' }, { id: 'b' }], 'user-id': 7, empty: null }

  it('compares the found value with the expected one', async () => {
    expect(await verdict(jsonPath('$.status', 'draft'), output)).toBe('passed: $.status is "draft"')
    expect(await verdict(jsonPath('$.status', 'submitted'), output)).toBe(
      'failed: $.status is "draft", expected "submitted"',
    )
  })

  it.each(['status', '$.status', "$['status']", '$..status'])('finds the same with %s', async (path) => {
    expect(await verdict(jsonPath(path, 'draft'), output)).toMatch(/^passed/)
  })

  it('splits plain paths on dots, so that user-id works', async () => {
    expect(await verdict(jsonPath('user-id', 7), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.user-id', 7), output)).toMatch(/^passed/)
  })

  it.each([
    ['structured output', { need_search: true }],
    ['JSON text', '{"need_search": true}'],
    ['a fenced block', 'Well:\n```json\n{"need_search": true}\n```\nThat is all.'],
    ['prose', 'I say {"need_search": true}, as you see [1].'],
  ])('looks in %s', async (_place, reply) => {
    expect(await verdict(jsonPath('$.need_search', true), reply)).toBe('passed: $.need_search is true')
  })

  it('accepts any member of an array when a single value is found', async () => {
    expect(await verdict(jsonPath('$.status', ['draft', 'submitted']), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.status', ['a', 'b']), output)).toBe(
      'failed: $.status is "draft", expected one of ["a","b"]',
    )
    expect(await verdict(jsonPath('$.empty', [null]), output)).toMatch(/^passed/)
  })

  it('compares a found array as an array', async () => {
    expect(await verdict(jsonPath('$.tags', ['x', 'y']), { tags: ['x', 'y'] })).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.tags', ['x', 'y']), { tags: ['x'] })).toMatch(/^failed/)
  })

  it('compares several matches as an array', async () => {
    expect(await verdict(jsonPath('$.items[*].id', ['a', 'b']), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.items[*].id', 'a'), output)).toBe(
      'failed: $.items[*].id is ["a","b"], expected "a"',
    )
    expect(await verdict(jsonPath('$.items[?@.id == "b"].id', 'b'), output)).toMatch(/^passed/)
  })

  it('fails if the path is missing', async () => {
    expect(await verdict(jsonPath('$.nothing', 1), output)).toBe('failed: $.nothing is missing, expected 1')
    expect(await verdict(jsonPath('$.a', 1), 'just words')).toBe(
      'failed: $.a is missing (the reply contains no JSON), expected 1',
    )
  })

  describe('on a reply that is almost JSON', () => {
    it.each([
      ['{"status": "draft",}', 'trailing comma'],
      ["{'status': 'draft'}", 'single quotes'],
      ['{"status": "draft", "items": [1, 2', 'cut off'],
      ['Here you are:\n```json\n{"status": "draft",}\n```\nBye.', 'trailing comma'],
      ["```\n{status: 'draft', done: False}\n```", 'unquoted keys, single quotes, words of Python'],
    ])('repairs %j and says so', async (reply, repairs) => {
      const note = `(the JSON was repaired: ${repairs})`
      expect(await verdict(jsonPath('$.status', 'draft'), reply)).toBe(`passed: $.status is "draft" ${note}`)
      expect(await verdict(jsonPath('$.status', 'paid'), reply)).toBe(
        `failed: $.status is "draft", expected "paid" ${note}`,
      )
      expect(await verdict(jsonPath('$.status', 'paid', { negate: true }), reply)).toBe(
        `passed: $.status is "draft" ${note}`,
      )
      expect(await verdict(jsonPath('$.x', 1), reply)).toBe(`failed: $.x is missing, expected 1 ${note}`)
      expect(await verdict(jsonPath('$.x', undefined, { exists: true }), reply)).toBe(
        `failed: $.x is missing ${note}`,
      )
    })

    it('repairs the whole reply before it uses a valid part', async () => {
      const reply = '{"items": [{"id": 1}, {"id": 2},]}'
      expect(await verdict(jsonPath('$.items[*].id', [1, 2]), reply)).toMatch(/^passed/)
      expect(await verdict(jsonPath('$.id', 1), reply)).toMatch(/^failed: \$\.id is missing/)
    })

    it.each([
      ['JSON beside it', '```json\n{"status": "old",}\n```\nNo: {"status": "draft"}'],
      ['a block that is JSON', '```json\n{"status": "old",}\n```\n```\n{"status": "draft"}\n```'],
    ])('prefers %s', async (_what, reply) => {
      expect(await verdict(jsonPath('$.status', 'draft'), reply)).toBe('passed: $.status is "draft"')
    })

    it('prefers repaired JSON to a footnote', async () => {
      const reply = 'As asked [1]:\n```json\n{"status": "draft",}\n```'
      expect(await verdict(jsonPath('$.status', 'draft'), reply)).toMatch(/^passed/)
    })

    it.each([
      'The status: {status: "draft",}',
      "I'd say {'status': 'draft'} fits",
      '[status: draft]',
      '{status}',
      '{',
    ])('finds no JSON in the prose %j', async (reply) => {
      expect(await verdict(jsonPath('$.status', 'draft'), reply)).toBe(
        'failed: $.status is missing (the reply contains no JSON), expected "draft"',
      )
    })

    it('also looks in tool results, but does not repair them', async () => {
      const answers = [
        {
          calls: [
            { name: 'a', result: '{"id": 7}' },
            { name: 'b', result: "{'own': 1}" },
          ],
        },
        { output: "{'status': 'draft'}" },
      ]
      const final = { where: 'final' as const }
      expect(await judge(jsonPath('$.id', 7), answers, final)).toMatchObject({ reason: '$.id is 7' })
      expect(await judge(jsonPath('$.own', 1), answers, final)).toMatchObject({ status: 'failed' })
    })
  })

  it.each([
    ['equals', { type: 'equals', value: { status: 'draft' } }],
    ['type', { type: 'type', value: 'object' }],
    ['contains with a path', { type: 'contains', path: 'status', value: 'draft' }],
  ])('does not repair JSON for %s', async (_type, assertion) => {
    expect(await verdict(assertion, '{"status": "draft",}')).toMatch(/^failed/)
  })

  it('checks presence or absence with exists', async () => {
    expect(await verdict(jsonPath('$.status', undefined, { exists: true }), output)).toBe(
      'passed: $.status exists: "draft"',
    )
    expect(await verdict(jsonPath('$.empty', undefined, { exists: true }), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.x', undefined, { exists: true }), output)).toBe('failed: $.x is missing')
    expect(await verdict(jsonPath('$.x', undefined, { exists: false }), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.status', undefined, { exists: false }), output)).toMatch(/^failed/)
    expect(await verdict(jsonPath('$.x', undefined, { exists: false }), 'no JSON')).toMatch(/^passed/)
  })

  it('compares with null and false like any value', async () => {
    expect(await verdict(jsonPath('$.empty', null), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.x', null), output)).toMatch(/^failed/)
    expect(await verdict(jsonPath('$.no', false), { no: false })).toMatch(/^passed/)
  })

  it('has a fitting reason when negated', async () => {
    expect(await verdict(jsonPath('$.status', 'draft', { negate: true }), output)).toBe(
      'failed: $.status is "draft", expected anything else',
    )
    expect(await verdict(jsonPath('$.status', 'x', { negate: true }), output)).toBe(
      'passed: $.status is "draft"',
    )
    expect(await verdict(jsonPath('$.x', 'x', { negate: true }), output)).toBe('failed: $.x is missing')
  })

  it('requires a path, and either value or exists', () => {
    expect(validationProblems({ type: 'json_path', value: 1 })).toEqual(['path: json_path needs a "path"'])
    expect(validationProblems(jsonPath('$.a'))).toEqual(['value: json_path needs a "value" or "exists"'])
    expect(validationProblems(jsonPath('$.a', 1, { exists: true }))).toEqual([
      'exists: "value" and "exists" cannot be combined',
    ])
  })

  it('rejects an invalid path before anything is run', () => {
    expect(validationProblems(jsonPath('$.items[', 1))).toEqual([
      expect.stringMatching(/^path: not a valid JSONPath: /),
    ])
  })

  describe('after the conversation', () => {
    const answers = [
      { calls: [{ name: 'create', result: { expense: { status: 'draft', id: 1 } } }] },
      { calls: [{ name: 'submit', result: '{"expense": {"status": "submitted"}}' }] },
      { output: 'Your expense was submitted.' },
    ]
    const final = { where: 'final' as const }

    it('looks in tool results, newest first, until the path exists', async () => {
      expect(await judge(jsonPath('$.expense.status', 'submitted'), answers, final)).toMatchObject({
        status: 'passed',
        actual: 'submitted',
      })
      expect(await judge(jsonPath('$.expense.id', 1), answers, final)).toMatchObject({ status: 'passed' })
    })

    it('looks in the last reply first', async () => {
      const replied = [...answers, { output: '{"expense": {"status": "paid"}}' }]
      expect(await judge(jsonPath('$.expense.status', 'paid'), replied, final)).toMatchObject({
        status: 'passed',
      })
    })

    it('reports a path that is missing everywhere', async () => {
      expect(await judge(jsonPath('$.x', 1), answers, final)).toMatchObject({
        status: 'failed',
        reason: '$.x is missing, expected 1',
      })
      expect(await judge(jsonPath('$..x', undefined, { exists: false }), answers, final)).toMatchObject({
        status: 'passed',
      })
    })

    it('looks only at the given turn', async () => {
      expect(await judge(jsonPath('$.expense.status', 'draft', { turn: 1 }), answers, final)).toMatchObject({
        status: 'passed',
        reason: 'turn 1: $.expense.status is "draft"',
      })
      expect(await judge(jsonPath('$.expense.status', 'draft', { turn: 3 }), answers, final)).toMatchObject({
        status: 'failed',
      })
    })

    it('does not look in tool results as an assertion of a turn', async () => {
      expect(await judge(jsonPath('$.expense.status', 'draft'), answers, { turn: 1 })).toMatchObject({
        status: 'failed',
      })
    })
  })
})
