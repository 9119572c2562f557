import { describe, expect, it } from 'vitest'
import { agentReply } from './agent.ts'
import { fieldEquals } from './conditions.ts'
import { accuracy } from './criteria.ts'
import { createJudge } from './judge.ts'
import type { JudgeContext } from './judge-context.ts'
import { naturalLanguage } from './natural-language.ts'
import { createScriptedProvider } from './providers.ts'
import { createEvalSuite } from './suite.ts'

const call = { name: 'book_table', arguments: { guests: 4 }, result: { number: 17 } }
const booking = { execute: async (_input: string) => agentReply({ reply: 'Booked.' }, { toolCalls: [call] }) }
const silent = { execute: async (_input: string) => agentReply({ reply: 'Booked.' }, { toolCalls: [] }) }
const hiding = { execute: async (_input: string) => ({ reply: 'Booked.' }) }
const cases = [
  {
    input: 'A table for 4',
    multiTurn: {
      followUpInputs: [],
      terminateWhen: [fieldEquals<{ reply: string }, 'reply'>('reply', 'Booked.')],
    },
  },
]

/** A model that keeps what it is asked. */
function recording(answer: unknown) {
  const asked: string[][] = []
  const provider = createScriptedProvider(({ messages }) => {
    asked.push(messages.map((message) => String(message.content)))
    return answer
  })
  return { provider, asked }
}

async function shownToJudge(agent: typeof booking | typeof hiding): Promise<string[]> {
  const verdicts = [{ criterionId: 'accuracy', reasoning: 'so it is', score: 90 }]
  const { provider, asked } = recording({ verdicts })
  const judge = createJudge({ provider, criteria: [accuracy()] })
  const { summary } = await createEvalSuite({ agent, judge }).run(cases)
  expect(summary.passed).toBe(1)
  return asked.flat()
}

describe('a tool call that an agent reports', () => {
  it.each([[{ arguments: { guests: 4 } }], [{ args: { guests: 4 } }], [{ arguments: '{"guests":4}' }]])(
    'has the arguments of %j',
    async (given) => {
      const toolCalls = [{ name: 'book_table', ...given }]
      const execute = async (_input: string) => agentReply({ reply: 'Booked.' }, { toolCalls })
      const { results } = await createEvalSuite({ agent: { execute } }).run(cases)
      expect(results[0]?.toolCalls).toEqual([
        expect.objectContaining({ name: 'book_table', arguments: { guests: 4 } }),
      ])
    },
  )
})

describe('a judge that asks a model', () => {
  it('shows it the tool calls that the agent reports', async () => {
    const [instructions, data] = await shownToJudge(booking)
    expect(instructions).toContain('`tool_calls`')
    expect(data).toContain(
      '\n{"role":"user","content":"A table for 4"}\n{"role":"assistant","content":{"reply":"Booked."},"tool_calls":[{"name":"book_table","arguments":{"guests":4},"result":{"number":17}}]}\n',
    )
  })

  it('tells an agent that called none from one that does not report them', async () => {
    expect((await shownToJudge(silent))[1]).toContain(
      '\n{"role":"assistant","content":{"reply":"Booked."}}\n',
    )
    expect((await shownToJudge(hiding))[1]).toContain(
      '\n{"role":"assistant","content":{"reply":"Booked."},"tool_calls":"not shown"}\n',
    )
  })

  it('shows it a turn in which the agent failed', async () => {
    const { provider, asked } = recording({
      verdicts: [{ criterionId: 'accuracy', reasoning: '', score: 0 }],
    })
    const noTools = { toolCalls: [], toolCallsKnown: false } as const
    const history = [{ turn: 1, input: 'hello', error: 'agent error: it broke', ...noTools }]
    await createJudge({ provider, criteria: [accuracy()] }).evaluate({
      input: 'hello',
      output: undefined,
      history,
    })
    expect(asked[0]?.[1]).toContain(
      '\n{"role":"user","content":"hello"}\n{"role":"assistant","error":"agent error: it broke"}\n',
    )
  })
})

describe('a condition in natural language', () => {
  it('shows the model the tool calls that the agent reports', async () => {
    const { provider, asked } = recording({ reason: 'it is booked', confidence: 1 })
    const terminateWhen = [naturalLanguage({ provider, prompt: 'Is the table booked?' })]
    const { summary } = await createEvalSuite({ agent: booking }).run([
      { input: 'A table for 4', multiTurn: { followUpInputs: [], terminateWhen } },
    ])
    expect(summary.passed).toBe(1)
    expect(asked[0]?.[1]).toContain('"tool_calls":[{"name":"book_table"')
  })
})

describe('a judge of one’s own', () => {
  it('has the tool calls in its history, as validators and conditions have', async () => {
    const seen: unknown[] = []
    const look = ({ history = [] }: Pick<JudgeContext, 'history'>) =>
      history.map((turn) => turn.error ?? turn.toolCalls)
    const validator = {
      id: 'tools',
      name: 'Tools',
      description: 'A table was booked',
      validate(context: JudgeContext) {
        seen.push(look(context))
        return { score: 100, reasoning: '' }
      },
    }
    const inner = createJudge({ criteria: [validator] })
    const judge = {
      evaluate(context: JudgeContext) {
        seen.push(look(context))
        return inner.evaluate(context)
      },
    }
    const condition = (context: Pick<JudgeContext, 'history'>) => seen.push(look(context)) > 0
    await createEvalSuite({ agent: booking, judge }).run([
      { input: 'A table for 4', multiTurn: { followUpInputs: [], terminateWhen: [condition] } },
    ])
    expect(seen).toMatchObject([[[call]], [[call]], [[call]]])
  })
})
