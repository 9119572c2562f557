import { describe, expect, it } from 'vitest'
import { type AgentContext, agentReply } from './agent.ts'
import { aiUser } from './ai-user.ts'
import { afterTurns, fieldEquals } from './conditions.ts'
import type { ConversationContext } from './conversation-context.ts'
import type { JudgeContext } from './judge-context.ts'
import { createScriptedProvider } from './providers.ts'
import { createEvalSuite } from './suite.ts'

interface Input {
  message: string
  on?: Date
}

const friday = new Date('2026-11-20')
const seen: AgentContext['history'][] = []
const agent = {
  async execute({ message }: Input, { history, turn }: AgentContext<Input>) {
    seen.push(history)
    return { reply: `${turn}: ${message}`, known: history.length }
  },
}
const messages = [
  { role: 'user' as const, content: { message: 'A table', on: friday } },
  {
    role: 'assistant' as const,
    content: { reply: 'For how many?', known: 0 },
    toolCalls: [{ name: 'look_up', result: 'free' }],
  },
]

describe('messages of a case', () => {
  it('come first in the history of the agent, with the values as they are, and count as no turn', async () => {
    const judged: JudgeContext[] = []
    const judge = {
      async evaluate(context: JudgeContext) {
        judged.push(context)
        return { passed: true, overallScore: 100, verdicts: [] }
      },
    }
    const asked: number[][] = []
    const next = ({ history, currentTurn }: ConversationContext<Input>) => {
      asked.push([currentTurn, ...history.map(({ turn }) => turn)])
      return { message: 'Thanks' }
    }
    const { results } = await createEvalSuite({ agent, judge }).run([
      {
        input: { message: '4 people' },
        messages,
        multiTurn: { followUpInputs: [{ input: next }], terminateWhen: [fieldEquals('known', 2)] },
      },
    ])
    expect(results[0]).toMatchObject({
      passed: true,
      totalTurns: 2,
      output: { reply: '2: Thanks', known: 2 },
    })
    expect(results[0]?.conversationHistory.map(({ turn }) => turn)).toEqual([1, 2])
    const [first] = seen.at(-1) ?? []
    expect(first).toMatchObject({
      turn: 0,
      input: { message: 'A table', on: friday },
      output: { reply: 'For how many?' },
      toolCalls: [{ name: 'look_up', arguments: {}, result: 'free' }],
      toolCallsKnown: true,
    })
    expect(asked).toEqual([[2, 0, 1]])
    expect(judged[0]).toMatchObject({ input: { message: '4 people' }, output: { reply: '2: Thanks' } })
    expect(judged[0]?.history?.map(({ turn }) => turn)).toEqual([0, 1, 2])
  })

  it('are refused where they are no pairs of a message and its answer', async () => {
    const wrong = (messages: unknown) =>
      createEvalSuite({ agent })
        .run([{ id: 'wrong', input: { message: 'x' }, messages } as never])
        .catch(String)
    const said = { role: 'user', content: { message: 'x' } }
    expect(await wrong([said])).toContain('must end with an answer of the assistant')
    expect(await wrong([said, said])).toContain('messages[1]: user and assistant must take turns')
    expect(await wrong([{ role: 'system', content: 'x' }])).toContain('messages[0].role')
    expect(await wrong([said, { role: 'assistant' }])).toContain('messages[1].content')
  })
})

describe('an opening', () => {
  const suite = createEvalSuite({
    agent: { execute: (text: string) => agentReply({ said: text }, { toolCalls: [] }) },
  })

  it('can be written by a simulated user, who is told that nothing was said yet', async () => {
    const told: string[] = []
    const provider = createScriptedProvider(({ messages }) => {
      told.push(JSON.stringify(messages))
      return told.length === 1 ? 'A table, please' : 'For four'
    })
    const user = aiUser({ provider, systemPrompt: 'You want a table for four.' })
    const { results } = await suite.run([
      {
        input: user,
        multiTurn: {
          followUpInputs: [{ input: user, assert: { type: 'contains', path: 'said', value: 'four' } }],
          terminateWhen: [afterTurns(2)],
          onMaxTurnsReached: 'pass',
        },
      },
    ])
    expect(results[0]).toMatchObject({ passed: true, output: { said: 'For four' } })
    expect(results[0]?.conversationHistory.map(({ input }) => input)).toEqual(['A table, please', 'For four'])
    expect(told[0]).toContain('Nothing has been said yet: begin.')
    expect(told[1]).toContain('A table, please')
  })

  it('can be made by a function, and is not the fault of the agent when that fails', async () => {
    const play = async (input: () => string) => (await suite.run([{ input }])).results[0]
    expect(await play(() => 'hello')).toMatchObject({ kind: 'single-turn', output: { said: 'hello' } })
    const failed = await play(() => {
      throw new Error('no idea')
    })
    expect(failed).toMatchObject({ passed: false, fault: 'infrastructure' })
    expect(failed?.error).toContain('the first input: no idea')
  })
})
