import { describe, expect, it } from 'vitest'
import { type Answer, judge, validationProblems } from './conversation.fixture.ts'

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
  it('compares the value as a deep subset, with matchers', async () => {
    expect(await verdictOn({ value: { status: 'draft' } }, created)).toMatch(
      /^passed: tool expenses__create returned /,
    )
    expect(
      await verdictOn({ value: { id: { $regex: '^E\\d$' }, items: [{ price: { $gte: 20 } }] } }, created),
    ).toMatch(/^passed/)
    expect(await verdictOn({ value: { status: 'done' } }, created)).toBe(
      'failed: tool expenses__create: status was "draft", expected "done"',
    )
    expect(await verdictOn({ value: 'draft' }, created)).toMatch(/^failed: .* the result was \{/)
  })

  it('compares a part of the result', async () => {
    expect(await verdictOn({ path: '$.items[0].price', value: 20 }, created)).toMatch(/^passed/)
    expect(await verdictOn({ path: 'status', value: { $regex: 'dr' } }, created)).toMatch(/^passed/)
    expect(await verdictOn({ path: 'status', value: 'done' }, created)).toBe(
      'failed: tool expenses__create: status was "draft", expected "done"',
    )
    expect(await verdictOn({ path: 'state', value: 'done' }, created)).toBe(
      'failed: tool expenses__create: state is missing',
    )
  })

  it('parses JSON text, but compares text with text', async () => {
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

  it('supports contains', async () => {
    expect(await verdictOn({ contains: 'draft' }, created)).toMatch(/^passed/)
    expect(await verdictOn({ path: 'items', contains: { price: 20 } }, created)).toMatch(/^passed/)
    expect(await verdictOn({ contains: 'x' }, [{ name: 'create', result: 'abc' }])).toBe(
      'failed: tool create: the result does not contain "x"',
    )
  })

  it('supports exists', async () => {
    expect(await verdictOn({ exists: true }, created)).toMatch(/^passed/)
    expect(await verdictOn({ exists: true }, [{ name: 'create', result: null }])).toMatch(/^passed/)
    expect(await verdictOn({ path: 'id', exists: false }, created)).toMatch(/^failed: .*id exists: "E7"/)
    expect(await verdictOn({ exists: false }, broken)).toMatch(/^passed/)
  })

  it('supports error', async () => {
    expect(await verdictOn({ error: true }, broken)).toBe('passed: tool create failed: no such policy')
    expect(await verdictOn({ error: false }, broken)).toBe('failed: tool create: it failed: no such policy')
    expect(await verdictOn({ error: false, value: { status: 'draft' } }, created)).toMatch(/^passed/)
    expect(await verdictOn({ error: true }, created)).toMatch(/^failed: .*it did not fail/)
    expect(await verdictOn({ value: 1 }, broken)).toBe('failed: tool create: it failed: no such policy')
  })

  it('passes with any of several calls, and reports the last one otherwise', async () => {
    const calls: Calls = [1, 2, 3].map((n) => ({ name: 'create', arguments: { n }, result: { n } }))
    expect(await verdictOn({ value: { n: 2 } }, calls)).toMatch(/^passed/)
    expect(await verdictOn({ value: { n: 9 } }, calls)).toBe(
      'failed: tool create: n was 3, expected 9 (the last of 3 calls)',
    )
    expect(await verdictOn({ arguments: { n: 1 }, value: { n: 2 } }, calls)).toMatch(/^failed/)
    expect(await verdictOn({ args: { n: { $lt: 3 } }, value: { n: 2 } }, calls)).toMatch(/^passed/)
  })

  it('fails if the tool was not called', async () => {
    expect(await verdictOn({ error: false }, [])).toBe('failed: tool create was not called')
    expect(await verdictOn({ args: { n: 1 }, exists: true }, created)).toBe(
      'failed: tool create was not called with {"n":1}',
    )
  })

  it('is unknown if the result or the call is hidden', async () => {
    expect(await verdictOn({ value: 1 }, [{ name: 'create' }])).toBe(
      'unknown: tool create was called, but the agent does not show its result',
    )
    for (const fields of [{ error: false }, { exists: false }, { value: 1, negate: true }]) {
      expect(await verdictOn(fields, [{ name: 'create' }])).toMatch(/^unknown/)
      expect(await verdictOn(fields, 'hidden')).toMatch(/^unknown: the agent hides its tool calls/)
    }
  })

  it('says that a call waits for its approval', async () => {
    const check = { type: 'tool_result', name: 'create', value: 1 }
    const calls: Calls = [{ name: 'create' }]
    expect((await judge(check, { calls, asks: true })).reason).toBe(
      'tool create was called, but has no result yet: the agent waits for input, such as the approval of the call',
    )
    const other = await judge(check, [{ calls }, { asks: true }], { where: 'final' })
    expect(other.reason).toContain('the agent does not show its result')
  })

  describe('in the form of Yao', () => {
    const setUp: Calls = [
      {
        name: 'agents_expense_tools__setup',
        result: { success: true, message: 'Setup is complete', count: 3 },
      },
    ]
    const yao = async (value: object, calls: Calls, more: object = {}) => {
      const { status, reason } = await judge({ type: 'tool_result', value, ...more }, { calls })
      return `${status}: ${reason}`
    }

    it('compares the result as a subset', async () => {
      expect(await yao({ tool: 'setup', result: { success: true } }, setUp)).toMatch(/^passed/)
      expect(await yao({ tool: 'setup', result: { success: false } }, setUp)).toBe(
        'failed: tool agents_expense_tools__setup: success was true, expected false',
      )
      expect(await yao({ tool: 'teardown', result: {} }, setUp)).toBe('failed: tool teardown was not called')
      expect(await yao({ tool: 'setup', result: { success: true } }, 'hidden')).toMatch(/^unknown/)
    })

    it('treats texts that begin with regex: as patterns, at any depth', async () => {
      const message = 'regex:(?i)setup.*complete'
      expect(await yao({ tool: 'setup', result: { message } }, setUp)).toMatch(/^passed/)
      expect(await yao({ tool: 'setup', result: { count: 'regex:^\\d$' } }, setUp)).toMatch(/^passed/)
      expect(await yao({ tool: 'setup', result: { message: 'regex:^complete' } }, setUp)).toBe(
        'failed: tool agents_expense_tools__setup: message was "Setup is complete", expected a match of /^complete/',
      )
      expect(await yao({ tool: 'setup', result: { other: 'regex:.*' } }, setUp)).toMatch(/^failed/)
      const nested: Calls = [{ name: 'setup', result: { steps: [{ name: 'init done' }] } }]
      expect(await yao({ tool: 'setup', result: { steps: [{ name: 'regex:done$' }] } }, nested)).toMatch(
        /^passed/,
      )
      const text: Calls = [{ name: 'setup', result: 'Done: {"id": 1}' }]
      expect(await yao({ tool: 'setup', result: 'regex:^Done' }, text)).toMatch(/^passed/)
      expect(await yao({ tool: 'setup', result: { id: 1 } }, text)).toMatch(/^passed/)
    })

    it('requires that the call did not fail, and nothing else without a result', async () => {
      expect(await yao({ tool: 'setup' }, setUp)).toMatch(/^passed/)
      expect(await yao({ tool: 'create' }, broken)).toBe('failed: tool create: it failed: no such policy')
      expect(await yao({ tool: 'create', result: { a: 1 } }, broken)).toMatch(/^failed: .*it failed/)
    })

    it('supports arguments and negate', async () => {
      const calls: Calls = [1, 2].map((n) => ({ name: 'create', arguments: { n }, result: { n } }))
      expect(await yao({ tool: 'create', result: { n: 2 } }, calls, { args: { n: 1 } })).toMatch(/^failed/)
      expect(await yao({ tool: 'create', result: { n: 3 } }, calls, { negate: true })).toMatch(/^passed/)
    })

    it('is the own form if there is a name', async () => {
      expect(
        await verdictOn({ value: { tool: 'hammer' } }, [{ name: 'create', result: { tool: 'hammer' } }]),
      ).toMatch(/^passed/)
      expect(await verdictOn({ value: 'regex:a' }, [{ name: 'create', result: 'a' }])).toMatch(/^failed/)
    })

    it.each<[object, string]>([
      [{ value: { tool: '' } }, 'value.tool: '],
      [{ value: { tool: 7 } }, 'value.tool: "tool" must be the name of a tool'],
      [{ value: { tool: 'a', reslt: 1 } }, 'value: unknown key "reslt" (did you mean "result"?)'],
      [{ value: { tool: 'a', result: { b: 'regex:(' } } }, 'value.result.b.$regex: '],
      [{ value: { tool: 'a' }, exists: true }, 'exists: "exists" needs "name", not "tool" in "value"'],
      [{ value: { tool: 'a' }, path: 'b' }, 'path: "path" needs "name", not "tool" in "value"'],
      [{ value: { result: 1 } }, 'name: tool_result needs the "name" of a tool'],
    ])('rejects %j', (fields, words) => {
      expect(validationProblems({ type: 'tool_result', ...fields })).toEqual([expect.stringContaining(words)])
    })
  })

  it('requires a name and an expectation', () => {
    const problems = (fields: object) =>
      validationProblems({ type: 'tool_result', name: 'create', ...fields })
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
