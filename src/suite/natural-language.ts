import { z } from 'zod'
import { askJudge } from '../agents/helpers/judge.ts'
import { naturalLanguageCheck } from '../checks/natural-language.ts'
import type { BuiltCondition } from './conditions.ts'
import { answeredTurns } from './conversation-context.ts'
import { shownTurns } from './evidence.ts'
import { judgeAgent } from './judge.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import type { ProviderOrAgent } from './provider.ts'

/** The options of `naturalLanguage`. */
export interface NaturalLanguageOptions {
  provider: ProviderOrAgent
  /** A question about the conversation: `Has the customer completed the booking?` */
  prompt: string
  /** How sure the model must be, 0 to 1. Default 0.7. */
  threshold?: number | undefined
}

const naturalLanguageOptions = lazySchema(() =>
  z.strictObject({
    provider: z.unknown(),
    prompt: fields.text(),
    threshold: fields.share(1).optional(),
  }),
)

/**
 * A condition that is met when a model answers a question about the conversation with yes, with at least the given
 * confidence.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { createEvalSuite, createScriptedProvider, naturalLanguage } from 'vivavoce'
 *
 * const provider = createScriptedProvider([
 *   { reason: 'It only asks for the day.', confidence: 0.1 },
 *   { reason: 'It says so.', confidence: 0.95 },
 * ])
 * const agent = { execute: (text: string) => (text === 'Friday' ? 'Your table is booked.' : 'Which day?') }
 * const talk = {
 *   followUpInputs: [{ input: 'Friday' }],
 *   terminateWhen: [naturalLanguage({ provider, prompt: 'Is the table booked?' })],
 * }
 * const { results } = await createEvalSuite({ agent }).run([{ input: 'A table', multiTurn: talk }])
 * assert.equal(results[0]?.passed, true)
 */
export function naturalLanguage(options: NaturalLanguageOptions): BuiltCondition<unknown> {
  checkOptions(naturalLanguageOptions, options, 'naturalLanguage')
  const { provider, prompt, threshold } = options
  const agent = judgeAgent(provider)
  const check = naturalLanguageCheck(
    { prompt, threshold },
    {
      judge: (question, scope) => askJudge(agent, question, scope),
      conversation: (view) => shownTurns(answeredTurns(view)),
    },
  )
  return { condition: { check } }
}
