import { defined } from '../defined.ts'
import type { MessageSource } from './plan.ts'

/** What a person is shown before they answer. */
export interface Question {
  caseId: string
  /** What the agent said; absent when the person begins. */
  agent?: string
  hint?: string
  timeoutMs: number
}

/** The one at the terminal. */
export interface Person {
  /** Undefined when they have nothing to say, or took too long. Others who ask meanwhile wait for their turn. */
  ask(question: Question, signal: AbortSignal): Promise<string | undefined>
}

/** Somebody at the terminal speaks for the user when the agent waits; where nobody else begins, they do. */
export function personSource(person: Person, timeoutMs: number): MessageSource {
  return {
    kind: 'human',
    wants: ({ turns }) => turns.at(-1)?.awaiting.awaiting ?? true,
    async next({ view }, scope) {
      const reply = view.turns.at(-1)?.reply
      const question = {
        caseId: scope.key.id,
        timeoutMs,
        ...defined({ agent: reply?.content, hint: reply?.inputHint }),
      }
      const text = await scope.standStill((signal) => person.ask(question, signal))
      if (text === undefined || text.trim() === '') return { end: 'exhausted' }
      return {
        say: { value: text, message: { role: 'user', content: text } },
        source: 'human',
        checks: [],
      }
    },
  }
}
