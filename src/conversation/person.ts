import { defined } from '../json/defined.ts'
import type { Key } from '../results/key.ts'
import { textOf } from '../results/transcript/message.ts'
import type { Reply } from '../results/transcript/reply.ts'
import { lastWordOfHistory, type View } from '../results/transcript/turn.ts'
import type { MessageSource } from './plan.ts'

/** What a person is shown before they answer. */
export interface PersonQuestion {
  key: Key
  /** What the agent said; absent when the person begins. */
  agent?: string
  hint?: string
  timeoutMs: number
}

/** What they typed, or why there is nothing. */
export type PersonAnswer = { text: string } | { none: string }

/** The one at the terminal. */
export interface Person {
  /** Others who ask meanwhile wait for their turn. */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer>
}

/** Somebody at the terminal speaks for the user when the agent waits; where nobody else begins, they do. */
export function personSource(person: Person, timeoutMs: number): MessageSource {
  return {
    kind: 'human',
    wants: ({ turns }) => turns.at(-1)?.awaiting.awaiting ?? true,
    async next({ view }, scope) {
      const { key } = scope
      const hint = view.turns.at(-1)?.reply?.inputHint
      const question = { key, timeoutMs, ...defined({ agent: lastWords(view), hint }) }
      const answer = await scope.standStill((signal) => person.ask(question, signal))
      if ('none' in answer) {
        scope.log(`no message from the person at the terminal: ${answer.none}`)
        return { end: 'exhausted' }
      }
      const message = { role: 'user', content: answer.text } as const
      return { say: { value: answer.text, message }, source: 'human', checks: [] }
    },
  }
}

/** What the person answers to. */
function lastWords(view: View): string | undefined {
  const reply = view.turns.at(-1)?.reply
  return reply === undefined ? lastWordOfHistory(view) : wordsOf(reply)
}

/** An agent may ask by a tool and say nothing itself: then its question is in the call. */
function wordsOf({ content, output, toolCalls }: Reply): string {
  if (content !== '') return content
  const calls = toolCalls === 'hidden' ? [] : toolCalls
  if (calls.length === 0) return textOf(output)
  return calls.map((call) => `[tool: ${call.name}(${textOf(call.arguments)})]`).join('\n')
}
