import { describe, expect, it } from 'vitest'
import { afterTurns } from './conditions.ts'
import { reportToMarkdown } from './report-markdown.ts'
import { createEvalSuite } from './suite.ts'

const breaking = {
  async execute(input: string) {
    if (input === 'break') throw new Error('it broke')
    return `You said ${input}`
  },
}
const talk = {
  id: 'talk',
  input: 'hello',
  multiTurn: { followUpInputs: [{ input: 'break' }, { input: 'more' }], terminateWhen: [afterTurns(5)] },
}
const noTools = { toolCalls: [], toolCallsKnown: false }
const failed = { turn: 2, input: 'break', error: 'agent error: it broke', ...noTools }

describe('conversationHistory', () => {
  it('ends with the turn in which the agent failed, which has an error and no output', async () => {
    const { results } = await createEvalSuite({ agent: breaking }).run([talk])
    const [result] = results
    expect(result?.conversationHistory).toEqual([
      { turn: 1, input: 'hello', output: 'You said hello', ...noTools },
      failed,
    ])
    expect(result).not.toHaveProperty('output')
  })

  it('is there for a single turn too', async () => {
    const { results } = await createEvalSuite({ agent: breaking }).run([{ input: 'break' }, { input: 'a' }])
    expect(results.map(({ conversationHistory }) => conversationHistory)).toEqual([
      [{ ...failed, turn: 1 }],
      [{ turn: 1, input: 'a', output: 'You said a', ...noTools }],
    ])
  })

  it('is in the Markdown report with the error', async () => {
    const report = await createEvalSuite({ agent: breaking }).run([talk])
    expect(reportToMarkdown(report)).toContain(
      '- user: hello\n- agent: You said hello\n- user: break\n- error: agent error: it broke\n',
    )
  })
})
