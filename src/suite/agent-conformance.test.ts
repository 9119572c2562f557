import { describe, it } from 'vitest'
import { agentConformance } from '../agents/agent-conformance.ts'
import { type AgentContext, agentReply, engineAgent } from './agent.ts'

const agent = {
  async execute(input: string, { history, signal }: AgentContext<string, string>) {
    const [first] = history
    if (input === 'hang')
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    if (input === 'fail') throw new Error('the mind gave out')
    if (input === 'what did I say first?') return agentReply(first?.input ?? '')
    const [, amount] = /^file (\d+)$/.exec(input) ?? []
    if (amount === undefined) return agentReply(input.replace('say ', ''), { toolCalls: [] })
    const call = { name: 'create_expense', arguments: { amount: Number(amount) } }
    return agentReply('Filed.', { toolCalls: [call] })
  },
}

describe('the agent of a suite', () => {
  for (const { title, check } of agentConformance)
    it(title, () => check(engineAgent('mind', () => agent as never)))
})
