import { describe, expect, it } from 'vitest'
import { type Answer, judge, problemsOf } from './conversation.fixture.ts'

type Calls = NonNullable<Answer['calls']>

async function verdictOn(fields: object, calls: Calls): Promise<string> {
  const { status, reason } = await judge({ type: 'tool_result', name: 'create', ...fields }, { calls })
  return `${status}: ${reason}`
}

const created: Calls = [
  { name: 'expenses__create', result: { id: 'E7', status: 'draft', items: [{ price: 20 }] } },
]
const broken: Calls = [{ name: 'create', error: 'no such policy' }]

describe('tool_result', () => {
  it('takes the value as a deep subset, with matchers', async () => {
    expect(await verdictOn({ value: { status: 'draft' } }, created)).toMatch(
      /^passed: tool expenses__create gave /,
    )
    expect(
      await verdictOn({ value: { id: { $regex: '^E\\d$' }, items: [{ price: { $gte: 20 } }] } }, created),
    ).toMatch(/^passed/)
    expect(await verdictOn({ value: { status: 'done' } }, created)).toBe(
      'failed: tool expenses__create: status was "draft", expected "done"',
    )
    expect(await verdictOn({ value: 'draft' }, created)).toMatch(/^failed: .* the result was \{/)
  })

  it('looks at a part', async () => {
    expect(await verdictOn({ path: '$.items[0].price', value: 20 }, created)).toMatch(/^passed/)
    expect(await verdictOn({ path: 'status', value: { $regex: 'dr' } }, created)).toMatch(/^passed/)
    expect(await verdictOn({ path: 'status', value: 'done' }, created)).toBe(
      'failed: tool expenses__create: status was "draft", expected "done"',
    )
    expect(await verdictOn({ path: 'state', value: 'done' }, created)).toBe(
      'failed: tool expenses__create: state is missing',
    )
  })

  it('reads results that are JSON as text, and text as text', async () => {
    const text: Calls = [{ name: 'create', result: '{"status": "draft"}' }]
    expect(await verdictOn({ value: { status: 'draft' } }, text)).toMatch(/^passed/)
    expect(await verdictOn({ path: 'status', value: 'draft' }, text)).toMatch(/^passed/)
    expect(await verdictOn({ value: '{"status": "draft"}' }, text)).toMatch(/^passed/)
    expect(await verdictOn({ value: '42' }, [{ name: 'create', result: '42' }])).toMatch(/^passed/)
    expect(await verdictOn({ value: 42 }, [{ name: 'create', result: '42' }])).toMatch(/^passed/)
    expect(await verdictOn({ path: 'a', exists: false }, [{ name: 'create', result: 'done' }])).toMatch(
      /^passed/,
    )
  })

  it('takes contains in the sense of contains', async () => {
    expect(await verdictOn({ contains: 'draft' }, created)).toMatch(/^passed/)
    expect(await verdictOn({ path: 'items', contains: { price: 20 } }, created)).toMatch(/^passed/)
    expect(await verdictOn({ contains: 'x' }, [{ name: 'create', result: 'abc' }])).toBe(
      'failed: tool create: the result does not contain "x"',
    )
  })

  it('takes exists', async () => {
    expect(await verdictOn({ exists: true }, created)).toMatch(/^passed/)
    expect(await verdictOn({ exists: true }, [{ name: 'create', result: null }])).toMatch(/^passed/)
    expect(await verdictOn({ path: 'id', exists: false }, created)).toMatch(/^failed: .*id is there: "E7"/)
    expect(await verdictOn({ exists: false }, broken)).toMatch(/^passed/)
  })

  it('takes error', async () => {
    expect(await verdictOn({ error: true }, broken)).toBe('passed: tool create failed: no such policy')
    expect(await verdictOn({ error: false }, broken)).toBe('failed: tool create: it failed: no such policy')
    expect(await verdictOn({ error: false, value: { status: 'draft' } }, created)).toMatch(/^passed/)
    expect(await verdictOn({ error: true }, created)).toMatch(/^failed: .*it did not fail/)
    expect(await verdictOn({ value: 1 }, broken)).toBe('failed: tool create: it failed: no such policy')
  })

  it('passes with any of several calls, and tells of the last', async () => {
    const calls: Calls = [1, 2, 3].map((n) => ({ name: 'create', arguments: { n }, result: { n } }))
    expect(await verdictOn({ value: { n: 2 } }, calls)).toMatch(/^passed/)
    expect(await verdictOn({ value: { n: 9 } }, calls)).toBe(
      'failed: tool create: n was 3, expected 9 (the last of 3 calls)',
    )
    expect(await verdictOn({ arguments: { n: 1 }, value: { n: 2 } }, calls)).toMatch(/^failed/)
    expect(await verdictOn({ args: { n: { $lt: 3 } }, value: { n: 2 } }, calls)).toMatch(/^passed/)
  })

  it('fails where the tool was not called', async () => {
    expect(await verdictOn({ error: false }, [])).toBe('failed: tool create was not called')
    expect(await verdictOn({ args: { n: 1 }, exists: true }, created)).toBe(
      'failed: tool create was not called with {"n":1}',
    )
  })

  it('is unknown where the result, or the call, does not show', async () => {
    expect(await verdictOn({ value: 1 }, [{ name: 'create' }])).toBe(
      'unknown: tool create was called, but the agent does not show its result',
    )
    for (const fields of [{ error: false }, { exists: false }, { value: 1, negate: true }]) {
      expect(await verdictOn(fields, [{ name: 'create' }])).toMatch(/^unknown/)
      expect(await verdictOn(fields, 'hidden')).toMatch(/^unknown: the agent hides its tool calls/)
    }
  })

  it('needs a name and something to check', () => {
    const problems = (fields: object) => problemsOf({ type: 'tool_result', name: 'create', ...fields })
    expect(problems({})).toEqual(['value: tool_result needs "value", "contains", "exists" or "error"'])
    expect(problems({ value: 1, name: undefined })).toEqual(['name: tool_result needs the "name" of a tool'])
    expect(problems({ value: 1, exists: true })).toHaveLength(1)
    expect(problems({ value: { a: { $gtt: 1 } } })).toEqual([
      expect.stringContaining('value.a.$gtt: unknown matcher'),
    ])
    expect(problems({ value: 1, path: 'a[' })).toEqual([expect.stringMatching(/^path: /)])
    expect(problems({ value: 1, arguments: {}, args: {} })).toHaveLength(1)
  })
})
