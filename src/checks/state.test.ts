import { describe, expect, it } from 'vitest'
import { InfrastructureError } from '../errors.ts'
import { judge, problemsOf } from './conversation.fixture.ts'
import { type Helpers, noHelpers } from './helpers.ts'

const state = (more: object) => ({
  type: 'state',
  call: { tool: 'get_expense', arguments: { id: 1 } },
  ...more,
})

function toolThat(answer: unknown): Helpers {
  return {
    ...noHelpers,
    async callTool(tool, args) {
      expect([tool, args]).toEqual(['get_expense', { id: 1 }])
      if (answer instanceof Error) throw answer
      return answer
    },
  }
}

const ask = (assertion: Record<string, unknown>, answer: unknown) =>
  judge(assertion, { output: 'It is submitted!' }, { helpers: toolThat(answer) })

describe('state', () => {
  it('is what the tool says, not what the agent says', async () => {
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
        reason: '$.status is missing in what get_expense says',
      })
  })

  it('reads JSON that comes as text, and any of several values', async () => {
    const wanted = state({ path: 'status', value: ['paid', 'submitted'] })
    expect((await ask(wanted, '{"status": "submitted"}')).status).toBe('passed')
    expect((await ask(wanted, '{"status": "draft"}')).status).toBe('failed')
  })

  it('is the whole answer without a path', async () => {
    expect((await ask(state({ value: { a: 1 } }), { a: 1 })).status).toBe('passed')
    expect((await ask(state({ value: 'gone' }), 'gone')).status).toBe('passed')
  })

  it('may be that there is something, or nothing', async () => {
    expect((await ask(state({ path: 'id', exists: true }), { id: 1 })).status).toBe('passed')
    expect((await ask(state({ path: 'id', exists: false }), { id: 1 })).status).toBe('failed')
    expect((await ask(state({ path: 'id', exists: false }), {})).status).toBe('passed')
  })

  it('is an error when the tool cannot be asked, negated or not', async () => {
    for (const negate of [false, true]) {
      const judged = await ask(
        state({ value: 1, negate }),
        new InfrastructureError('connection', 'it is gone'),
      )
      expect(judged).toMatchObject({ status: 'error', reason: 'could not be judged: it is gone' })
    }
  })

  it('needs a call and something to expect', () => {
    expect(problemsOf({ type: 'state', value: 1 })).toEqual([
      'call: state needs a "call": {"tool": …, "arguments": {…}}',
    ])
    expect(problemsOf(state({}))).toEqual([': state needs a "value" or "exists"'])
    expect(problemsOf(state({ exists: true }))).toEqual(['exists: "exists" goes with a "path"'])
    expect(problemsOf(state({ path: '$[', value: 1 }))).toEqual([
      expect.stringContaining('not a valid JSONPath'),
    ])
    expect(problemsOf(state({ call: { tool: 'x', argumnts: {} }, value: 1 }))).toHaveLength(1)
  })
})
