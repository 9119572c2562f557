import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../errors.ts'
import { type CheckHelpers, noCheckHelpers } from './check-helpers.ts'
import { judge, validationProblems } from './conversation.fixture.ts'

const state = (more: object) => ({
  type: 'state',
  call: { tool: 'get_expense', arguments: { id: 1 } },
  ...more,
})

function toolThat(answer: unknown): CheckHelpers {
  return {
    ...noCheckHelpers,
    async callTool(tool, args) {
      expect([tool, args]).toEqual(['get_expense', { id: 1 }])
      if (answer instanceof Error) throw answer
      return { is: 'given', value: answer }
    },
  }
}

const ask = (assertion: Record<string, unknown>, answer: unknown) =>
  judge(assertion, { output: 'It is submitted!' }, { helpers: toolThat(answer) })

describe('state', () => {
  it('judges the answer of the tool, not that of the agent', async () => {
    const wanted = state({ path: '$.status', value: 'submitted' })
    expect(await ask(wanted, { status: 'submitted' })).toMatchObject({
      status: 'passed',
      actual: 'submitted',
    })
    expect(await ask(wanted, { status: 'draft' })).toMatchObject({
      status: 'failed',
      reason: '$.status is "draft", expected "submitted"',
      expected: 'submitted',
      actual: 'draft',
    })
    for (const negate of [false, true])
      expect(await ask({ ...wanted, negate }, {})).toMatchObject({
        status: 'failed',
        reason: '$.status is missing in the answer of get_expense',
      })
  })

  it('parses JSON text and accepts any of several values', async () => {
    const wanted = state({ path: 'status', value: ['paid', 'submitted'] })
    expect((await ask(wanted, '{"status": "submitted"}')).status).toBe('passed')
    expect((await ask(wanted, '{"status": "draft"}')).status).toBe('failed')
  })

  it('judges the whole answer without a path', async () => {
    expect((await ask(state({ value: { a: 1 } }), { a: 1 })).status).toBe('passed')
    expect((await ask(state({ value: 'gone' }), 'gone')).status).toBe('passed')
  })

  it('checks presence or absence with exists', async () => {
    expect((await ask(state({ path: 'id', exists: true }), { id: 1 })).status).toBe('passed')
    expect((await ask(state({ path: 'id', exists: false }), { id: 1 })).status).toBe('failed')
    expect((await ask(state({ path: 'id', exists: false }), {})).status).toBe('passed')
  })

  it('is an error if the tool cannot be called, also when negated', async () => {
    for (const negate of [false, true]) {
      const judged = await ask(
        state({ value: 1, negate }),
        new InfrastructureError('connection', 'it is gone'),
      )
      expect(judged).toMatchObject({ status: 'error', reason: 'could not be judged: it is gone' })
    }
  })

  it('is unknown if nobody can be asked, also when negated', async () => {
    const helpers: CheckHelpers = {
      ...noCheckHelpers,
      callTool: async () => ({ is: 'unknown', reason: 'it shows nothing', disclosure: 'print them' }),
    }
    for (const negate of [false, true]) {
      const wanted = state({ path: 'id', exists: false, negate })
      expect((await judge(wanted, { calls: 'hidden' }, { helpers })).reason).toBe(
        'it shows nothing. To make them visible, print them',
      )
      expect(await judge(wanted, { output: 'Done' }, { helpers })).toMatchObject({
        status: 'unknown',
        reason: 'it shows nothing',
      })
    }
  })

  it('requires a call and an expectation', () => {
    expect(validationProblems({ type: 'state', value: 1 })).toEqual([
      'call: state needs a "call": {"tool": …, "arguments": {…}} or {"script": …, "args": […]}',
    ])
    expect(validationProblems(state({}))).toEqual([': state needs a "value" or "exists"'])
    expect(validationProblems(state({ exists: true }))).toEqual(['exists: "exists" needs a "path"'])
    expect(validationProblems(state({ path: '$[', value: 1 }))).toEqual([
      expect.stringContaining('not a valid JSONPath'),
    ])
    for (const call of [{ tool: 'x', script: 'scripts.a.Get' }, { tool: 'x', args: [] }, { arguments: {} }])
      expect(validationProblems(state({ call, value: 1 }))).toHaveLength(1)
    expect(validationProblems(state({ call: { tool: 'x', argumnts: {} }, value: 1 }))).toHaveLength(1)
  })
})
