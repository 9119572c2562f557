import { errorMessage } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { JudgeFinding, JudgeQuestion } from '../results/judge-finding.ts'
import type { Data } from '../results/transcript/message.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import type { Check } from './check.ts'
import { describeConversation } from './shown-conversation.ts'

/** A question about a conversation that can be answered with yes. */
export interface NaturalLanguage {
  prompt: string
  /** How sure the judge must be, 0 to 1; default 0.7. */
  threshold?: number | undefined
  connector?: string | undefined
}

interface Asked {
  judge(question: JudgeQuestion, scope: Scope): Promise<JudgeFinding>
  /** What the judge is shown of a conversation. */
  conversation?(view: View, turn: number): Data[]
}

/** Passes when a judge is sure enough that the answer is yes. */
export function naturalLanguageCheck(
  { prompt, threshold = 0.7, connector }: NaturalLanguage,
  { judge, conversation = describeConversation }: Asked,
): Check {
  const type = 'natural_language'
  return {
    type,
    async run(view, turn, scope) {
      const shown = { test_id: scope.key.id, conversation: conversation(view, turn) }
      const params = { test_mode: 'condition', question: prompt, ...shown }
      const options = defined({ connector })
      try {
        const question = { criteria: prompt, isScored: true, threshold, params, options }
        const { verdict, reason, score } = await judge(question, scope)
        const sure = verdict === 'passed' && score !== undefined ? ` (${score} of ${threshold})` : ''
        return { type, status: verdict, gates: true, reason: `${reason}${sure}`, ...defined({ score }) }
      } catch (error) {
        scope.stop.throwIfAborted()
        return { type, status: 'error', gates: true, reason: `could not be judged: ${errorMessage(error)}` }
      }
    },
  }
}
