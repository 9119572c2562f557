import type { Agent } from '../../agents/agent.ts'
import type { AuditAgent } from '../../cases/audit-agents.ts'
import { textOf } from '../../results/transcript/message.ts'

type TrivialAgent = Exclude<AuditAgent, 'tools-fail'>

/** What each of them answers, whatever it is asked. */
const answers: Record<TrivialAgent, (heard: string) => string> = {
  silent: () => '',
  echo: (heard) => heard,
  refusing: () => "I'm sorry, I can't help with that.",
  done: () => 'Done. Your request was submitted, processed and completed successfully.',
}

/** Agents that do nothing. They need no network, and say that they wait for nothing: so their conversations end. */
export function trivialAgents(): Map<TrivialAgent, Agent> {
  const all = Object.entries(answers) as [TrivialAgent, (heard: string) => string][]
  return new Map(all.map(([id, answer]) => [id, trivialAgent(id, answer)]))
}

function trivialAgent(id: string, answer: (heard: string) => string): Agent {
  return {
    id,
    input: 'any',
    history: 'given',
    tools: 'reported',
    async open() {
      return {
        async send({ input }, scope) {
          const heard = textOf(input.message.content)
          const content = await scope.exchange({
            target: id,
            request: heard,
            perform: async () => answer(heard),
          })
          return {
            output: content,
            content,
            messages: [{ role: 'assistant', content }],
            toolCalls: [],
            awaitingInput: false,
          }
        },
        async close() {},
      }
    },
  }
}
