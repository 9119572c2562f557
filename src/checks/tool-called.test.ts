import { describe, expect, it } from 'vitest'
import { type Answer, judge, validationProblems } from './conversation.fixture.ts'

const toolCalled = (fields: object) => ({ type: 'tool_called', ...fields })

async function verdictOn(fields: object, calls: Answer['calls']): Promise<string> {
  const { status, reason } = await judge(toolCalled(fields), { calls: calls ?? [] })
  return `${status}: ${reason}`
}

describe('tool_called', () => {
  const create = { name: 'create_expense', arguments: { amount: 3500, items: [{ price: 20, tag: 'x' }] } }

  it('passes when the tool was called', async () => {
    expect(await verdictOn({ name: 'create_expense' }, [create])).toBe(
      'passed: tool create_expense was called',
    )
  })

  it('lists the tools that were called instead', async () => {
    expect(
      await verdictOn({ name: 'create_expense' }, [{ name: 'get_policy' }, { name: 'get_policy' }]),
    ).toBe('failed: tool create_expense was not called (called: get_policy)')
    expect(await verdictOn({ name: 'create_expense' }, [])).toBe(
      'failed: tool create_expense was not called (no tool was called)',
    )
  })

  it.each([
    ['expenses__create_expense', true],
    ['expenses.create_expense', true],
    ['a.b__create_expense', true],
    ['create_expense', true],
    ['recreate_expense', false],
    ['_create_expense', false],
    ['create_expense_2', false],
    ['.create_expense', false],
    ['Create_Expense', false],
  ])('matches %s: %s', async (name, matches) => {
    expect(await verdictOn({ name: 'create_expense' }, [{ name }])).toMatch(matches ? /^passed/ : /^failed/)
  })

  it('does not add a server to the actual name', async () => {
    expect(await verdictOn({ name: 'expenses.create' }, [{ name: 'create' }])).toMatch(/^failed/)
  })

  it.each(['arguments', 'args'])('compares %s as a deep subset', async (key) => {
    const expected = { items: [{ price: 20 }] }
    expect(await verdictOn({ name: 'create_expense', [key]: expected }, [create])).toMatch(
      /^passed: .* with /,
    )
    expect(await verdictOn({ name: 'create_expense', [key]: { items: [] } }, [create])).toMatch(/^failed/)
  })

  it('names the argument that was wrong', async () => {
    expect(await verdictOn({ name: 'create_expense', args: { amount: 3600 } }, [create])).toBe(
      'failed: create_expense was called, but amount was 3500, expected 3600',
    )
    expect(await verdictOn({ name: 'create_expense', args: { currency: 'EUR' } }, [create])).toBe(
      'failed: create_expense was called, but currency was missing, expected "EUR"',
    )
    expect(await verdictOn({ name: 'create_expense', args: { items: [{ price: 21 }] } }, [create])).toBe(
      'failed: create_expense was called, but items[0].price was 20, expected 21',
    )
  })

  it('reports the closest of several calls', async () => {
    const calls = [
      { name: 'pay', arguments: { a: 1, b: 1 } },
      { name: 'pay', arguments: { a: 2, b: 1 } },
    ]
    const result = await judge(toolCalled({ name: 'pay', args: { a: 2, b: 2 } }), { calls })
    expect(result).toMatchObject({
      status: 'failed',
      reason: 'pay was called 2 times; in the closest call b was 1, expected 2',
      expected: { name: 'pay', arguments: { a: 2, b: 2 } },
      actual: { name: 'pay', arguments: { a: 2, b: 1 } },
    })
  })

  it('passes when any one of several calls matches', async () => {
    const calls = [
      { name: 'pay', arguments: { a: 1 } },
      { name: 'pay', arguments: { a: 2 } },
    ]
    expect(await verdictOn({ name: 'pay', args: { a: 2 } }, calls)).toMatch(/^passed/)
  })

  it('parses arguments that are reported as JSON text', async () => {
    expect(
      await verdictOn({ name: 'pay', args: { a: 1 } }, [{ name: 'pay', arguments: '{"a": 1}' }]),
    ).toMatch(/^passed/)
    expect(await verdictOn({ name: 'pay', args: { a: 1 } }, [{ name: 'pay', arguments: 'oops' }])).toBe(
      'failed: pay was called, but the argument list was "oops", expected {"a":1}',
    )
  })

  describe('value', () => {
    it('may be a name', async () => {
      expect(await verdictOn({ value: 'create_expense' }, [create])).toMatch(/^passed/)
    })

    it('may be a list of alternatives', async () => {
      const value = ['submit', 'create_expense']
      expect(await verdictOn({ value }, [create])).toMatch(/^passed/)
      expect(await verdictOn({ value }, [{ name: 'other' }])).toBe(
        'failed: none of submit, create_expense was called (called: other)',
      )
    })

    it('may be a call with arguments, alone or in a list', async () => {
      const wrong = { name: 'create_expense', arguments: { amount: 1 } }
      const right = { name: 'create_expense', args: { amount: 3500 } }
      expect(await verdictOn({ value: right }, [create])).toMatch(/^passed/)
      expect(await verdictOn({ value: wrong }, [create])).toMatch(/^failed: .*amount was 3500, expected 1$/)
      expect(await verdictOn({ value: [wrong, right] }, [create])).toMatch(/^passed/)
    })
  })

  describe('for an agent that hides its tools', () => {
    it('is unknown, also when negated', async () => {
      for (const negate of [false, true]) {
        expect(await verdictOn({ name: 'pay', negate }, 'hidden')).toBe(
          'unknown: the agent hides its tool calls, so whether it called pay is unknown',
        )
      }
    })
  })

  describe('after the conversation', () => {
    const answers = [{ calls: [create] }, { calls: [] }, { output: 'done' }]

    it('looks at all turns', async () => {
      const result = await judge(toolCalled({ name: 'create_expense' }), answers, { where: 'final' })
      expect(result.status).toBe('passed')
    })

    it('looks at one turn if given', async () => {
      for (const [fields, status] of [
        [{ turn: 1 }, 'passed'],
        [{ turn: 2 }, 'failed'],
        [{ scope: 'last' }, 'failed'],
        [{ scope: 'any' }, 'passed'],
        [{ scope: 'all' }, 'failed'],
      ] as const) {
        const assertion = toolCalled({ name: 'create_expense', ...fields })
        expect((await judge(assertion, answers, { where: 'final' })).status, JSON.stringify(fields)).toBe(
          status,
        )
      }
    })

    it('passes for a visible call even if another turn hides its tools', async () => {
      const partly: Answer[] = [{ calls: 'hidden' }, { calls: [create] }]
      const run = (name: string) => judge(toolCalled({ name }), partly, { where: 'final' })
      expect((await run('create_expense')).status).toBe('passed')
      expect((await run('pay')).status).toBe('unknown')
    })
  })

  it('records the closest call, with matching arguments shown as they were called', async () => {
    const expected = { args: { amount: { $gt: 9000 }, type: { $regex: '^tr' }, tags: ['a', 'x'] } }
    const call = { ...create, name: 'expenses__create_expense' }
    const args = { amount: 3500, type: 'travel', tags: ['a', 'b'], note: 'more' }
    for (const written of [args, JSON.stringify(args)]) {
      const result = await judge(toolCalled({ value: { name: 'create_expense', ...expected } }), {
        calls: [{ ...call, arguments: written }],
      })
      expect(result.expected).toEqual({
        name: 'expenses__create_expense',
        arguments: { amount: { $gt: 9000 }, type: 'travel', tags: ['a', 'x'] },
      })
      expect(result.actual).toEqual({ name: 'expenses__create_expense', arguments: args })
    }
  })

  it('has a fitting reason when negated', async () => {
    const negate = true
    expect(await verdictOn({ name: 'create_expense', negate }, [create])).toBe(
      'failed: tool create_expense was called, expected it not to be called',
    )
    expect(await verdictOn({ name: 'create_expense', args: { amount: 1 }, negate }, [create])).toBe(
      'passed: create_expense was called, but not with these arguments',
    )
    expect(await verdictOn({ name: 'pay', negate }, [])).toMatch(/^passed: tool pay was not called/)
  })

  it('keeps its reason short for many tool calls', async () => {
    const calls = Array.from({ length: 1000 }, (_, index) => ({ name: `tool_${index}_${'x'.repeat(500)}` }))
    const line = await verdictOn({ name: 'pay' }, calls)
    expect(line).toMatch(/and 995 more/)
    expect(line.length).toBeLessThan(520)
  })

  it.each([
    [{}, ['name: tool_called needs the "name" of a tool']],
    [{ name: 'a', value: 'b' }, ['value: "name" and "value" cannot be combined']],
    [{ name: 'a', args: {}, arguments: {} }, ['args: "arguments" and "args" are the same']],
    [{ value: { name: 'a', args: {}, arguments: {} } }, ['value.args: "arguments" and "args" are the same']],
    [{ value: 'a', args: {} }, ['args: with "value", "args" belongs inside it: {"name": …, "args": …}']],
    [{ value: { name: 'a', argument: {} } }, ['value: unknown key "argument" (did you mean "arguments"?)']],
    [{ value: ['b', { name: 'a', arg: {} }] }, ['value.1: unknown key "arg" (did you mean "args"?)']],
    [
      { name: 'a', path: '$.x' },
      ['path: "path" selects a part of the output, but tool_called looks at tool calls'],
    ],
  ])('rejects %j', (fields, problems) => {
    expect(validationProblems(toolCalled(fields))).toEqual(problems)
  })

  it.each([[7], [{ arguments: {} }], [null], [['b', 7]]])(
    'describes the allowed forms of value for %j',
    (value) => {
      expect(validationProblems(toolCalled({ value }))).toEqual([
        expect.stringMatching(/^value(\.1)?: "value" must be the name of a tool, /),
      ])
    },
  )

  it('rejects an empty name and an empty list', () => {
    expect(validationProblems(toolCalled({ value: '' }))).toHaveLength(1)
    expect(validationProblems(toolCalled({ value: [] }))).toHaveLength(1)
    expect(validationProblems(toolCalled({ name: '' }))).toHaveLength(1)
  })

  it('rejects wrong matchers at any depth', () => {
    expect(
      validationProblems(toolCalled({ value: ['b', { name: 'a', args: { x: { $regx: 'a' } } }] })),
    ).toEqual(['value.1.args.x.$regx: unknown matcher "$regx" (did you mean "$regex"?)'])
  })
})
