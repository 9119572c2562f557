import { describe, expect, it } from 'vitest'
import { judge, problemsOf, verdict } from './conversation.fixture.ts'

const jsonPath = (path: string, value?: unknown, more = {}) => ({
  type: 'json_path',
  path,
  ...(value !== undefined && { value }),
  ...more,
})

describe('json_path', () => {
  const output = { status: 'draft', items: [{ id: 'a' }, { id: 'b' }], 'user-id': 7, empty: null }

  it('compares what it finds with the value', async () => {
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

  it('takes an array for any of its members where one value is found', async () => {
    expect(await verdict(jsonPath('$.status', ['draft', 'submitted']), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.status', ['a', 'b']), output)).toBe(
      'failed: $.status is "draft", expected one of ["a","b"]',
    )
    expect(await verdict(jsonPath('$.empty', [null]), output)).toMatch(/^passed/)
  })

  it('compares an array that is found as an array', async () => {
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

  it('fails where the path is missing', async () => {
    expect(await verdict(jsonPath('$.nothing', 1), output)).toBe('failed: $.nothing is missing, expected 1')
    expect(await verdict(jsonPath('$.a', 1), 'just words')).toBe(
      'failed: $.a is missing, for the reply holds no JSON, expected 1',
    )
  })

  it('asks for presence or absence with exists', async () => {
    expect(await verdict(jsonPath('$.status', undefined, { exists: true }), output)).toBe(
      'passed: $.status is there: "draft"',
    )
    expect(await verdict(jsonPath('$.empty', undefined, { exists: true }), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.x', undefined, { exists: true }), output)).toBe('failed: $.x is missing')
    expect(await verdict(jsonPath('$.x', undefined, { exists: false }), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.status', undefined, { exists: false }), output)).toMatch(/^failed/)
    expect(await verdict(jsonPath('$.x', undefined, { exists: false }), 'no JSON')).toMatch(/^passed/)
  })

  it('compares with null and false as with any value', async () => {
    expect(await verdict(jsonPath('$.empty', null), output)).toMatch(/^passed/)
    expect(await verdict(jsonPath('$.x', null), output)).toMatch(/^failed/)
    expect(await verdict(jsonPath('$.no', false), { no: false })).toMatch(/^passed/)
  })

  it('reads right when negated', async () => {
    expect(await verdict(jsonPath('$.status', 'draft', { negate: true }), output)).toBe(
      'failed: $.status is "draft", expected anything else',
    )
    expect(await verdict(jsonPath('$.status', 'x', { negate: true }), output)).toBe(
      'passed: $.status is "draft"',
    )
    expect(await verdict(jsonPath('$.x', 'x', { negate: true }), output)).toBe('failed: $.x is missing')
  })

  it('needs a path, and a value or exists but not both', () => {
    expect(problemsOf({ type: 'json_path', value: 1 })).toEqual(['path: json_path needs a "path"'])
    expect(problemsOf(jsonPath('$.a'))).toEqual(['value: json_path needs a "value" or "exists"'])
    expect(problemsOf(jsonPath('$.a', 1, { exists: true }))).toEqual([
      'exists: "value" and "exists" exclude each other',
    ])
  })

  it('refuses an invalid path before anything is run', () => {
    expect(problemsOf(jsonPath('$.items[', 1))).toEqual([
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

    it('looks in tool results, newest first, for the first place where the path exists', async () => {
      expect(await judge(jsonPath('$.expense.status', 'submitted'), answers, final)).toMatchObject({
        status: 'passed',
        actual: 'submitted',
      })
      expect(await judge(jsonPath('$.expense.id', 1), answers, final)).toMatchObject({ status: 'passed' })
    })

    it('looks in the last reply before all', async () => {
      const replied = [...answers, { output: '{"expense": {"status": "paid"}}' }]
      expect(await judge(jsonPath('$.expense.status', 'paid'), replied, final)).toMatchObject({
        status: 'passed',
      })
    })

    it('says that the path is missing where it is nowhere', async () => {
      expect(await judge(jsonPath('$.x', 1), answers, final)).toMatchObject({
        status: 'failed',
        reason: '$.x is missing, expected 1',
      })
      expect(await judge(jsonPath('$..x', undefined, { exists: false }), answers, final)).toMatchObject({
        status: 'passed',
      })
    })

    it('keeps to the turn that is asked for', async () => {
      expect(await judge(jsonPath('$.expense.status', 'draft', { turn: 1 }), answers, final)).toMatchObject({
        status: 'passed',
        reason: 'turn 1: $.expense.status is "draft"',
      })
      expect(await judge(jsonPath('$.expense.status', 'draft', { turn: 3 }), answers, final)).toMatchObject({
        status: 'failed',
      })
    })

    it('does not look in tool results beside a turn', async () => {
      expect(await judge(jsonPath('$.expense.status', 'draft'), answers, { turn: 1 })).toMatchObject({
        status: 'failed',
      })
    })
  })
})
