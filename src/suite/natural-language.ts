import { askJudge } from '../agents/helpers/judge.ts'
import { createVivaJudge, vivaJudge } from '../agents/helpers/viva-judge.ts'
import { naturalLanguageCheck } from '../checks/natural-language.ts'
import { ConfigError } from '../errors.ts'
import type { BuiltCondition } from './conditions.ts'
import { historyOf } from './conversation-context.ts'
import { shownTurns } from './evidence.ts'
import { refuseUnknown } from './known-keys.ts'
import { modelOf, type Provider } from './provider.ts'

export interface NaturalLanguageOptions {
  provider: Provider
  /** A question about the conversation: `Has the customer completed the booking?` */
  prompt: string
  /** How sure the model must be, 0 to 1. Default 0.7. */
  threshold?: number | undefined
}

/** Met when a model is sure enough that the answer is yes. */
export function naturalLanguage(options: NaturalLanguageOptions): BuiltCondition<unknown> {
  refuseUnknown(options, ['provider', 'prompt', 'threshold'], 'naturalLanguage')
  const { provider, prompt, threshold = 0.7 } = options
  if (typeof prompt !== 'string' || prompt.trim() === '')
    throw new ConfigError({ code: 'bad_condition', message: 'naturalLanguage needs a prompt' })
  if (!(threshold > 0 && threshold <= 1))
    throw new ConfigError({
      code: 'bad_condition',
      message: `threshold ${threshold}: must be above 0, at most 1`,
    })
  const model = modelOf(provider)
  const agent = createVivaJudge(vivaJudge, () => model)
  const check = naturalLanguageCheck(
    { prompt, threshold },
    {
      judge: (question, scope) => askJudge(agent, question, scope),
      conversation: (view) => shownTurns(historyOf(view)),
    },
  )
  return { condition: { check } }
}
