import type { Agent } from '../../agents/agent.ts'
import type { AuditAgent } from '../../cases/audit-agents.ts'
import { messageText } from '../../results/transcript/message.ts'

type TrivialAgent = Exclude<AuditAgent, 'tools-fail'>

/** The answer of each agent, whatever the message. */
const answers: Record<TrivialAgent, (message: string) => string> = {
  silent: () => '',
  echo: (message) => message,
  refusing: () => "I'm sorry, I can't help with that.",
  done: () => 'Done. Your request was submitted, processed and completed successfully.',
}

/** Agents that do nothing. They need no network, and declare that they await no input, so that conversations end. */
export function trivialAgents(): Map<TrivialAgent, Agent> {
  const all = Object.entries(answers) as [TrivialAgent, (message: string) => string][]
  return new Map(all.map(([id, answer]) => [id, trivialAgent(id, answer)]))
}

function trivialAgent(id: string, answer: (message: string) => string): Agent {
  return {
    id,
    input: 'any',
    history: 'given',
    tools: 'reported',
    async open() {
      return {
        async send({ input }, scope) {
          const message = messageText(input.message.content)
          const content = await scope.exchange({
            target: id,
            request: message,
            perform: async () => answer(message),
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
