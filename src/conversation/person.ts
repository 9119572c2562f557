import { defined } from '../json/defined.ts'
import type { Key } from '../results/key.ts'
import { messageText } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { lastAgentMessage, type View } from '../results/transcript/turn.ts'
import type { MessageSource } from './plan.ts'

/** What a person is shown before they answer. */
export interface PersonQuestion {
  key: Key
  /** The agent's message; absent if the person begins. */
  agent?: string
  hint?: string
  timeoutMs: number
}

/** What they typed, or why there is nothing. */
export type PersonAnswer = { text: string } | { none: string }

/** The person at the terminal. */
export interface Person {
  /** Others who ask meanwhile wait for their turn. */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer>
}

/** The person at the terminal speaks when the agent waits for an answer, or begins if nobody else does. */
export function personSource(person: Person, timeoutMs: number): MessageSource {
  return {
    kind: 'human',
    wants: ({ turns }) => turns.at(-1)?.awaiting.awaiting ?? true,
    async next({ view }, scope) {
      const { key } = scope
      const hint = view.turns.at(-1)?.reply?.inputHint
      const question = { key, timeoutMs, ...defined({ agent: lastWords(view), hint }) }
      const answer = await scope.standStill(({ signal }) => person.ask(question, signal))
      if ('none' in answer) {
        scope.log(`no message from the person at the terminal: ${answer.none}`)
        return { end: 'exhausted' }
      }
      const message = { role: 'user', content: answer.text } as const
      return { say: { value: answer.text, message }, source: 'human', checks: [] }
    },
  }
}

/** The message that the person answers. */
function lastWords(view: View): string | undefined {
  const reply = view.turns.at(-1)?.reply
  return reply === undefined ? lastAgentMessage(view) : describeReply(reply)
}

/** An agent may ask with a tool call instead of text: then the call is shown. */
function describeReply({ content, output, toolCalls }: Reply): string {
  if (content !== '') return content
  const calls = toolCalls === 'hidden' ? [] : toolCalls
  if (calls.length === 0) return messageText(output)
  return calls.map((call) => `[tool: ${call.name}(${messageText(call.arguments)})]`).join('\n')
}
