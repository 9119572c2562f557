import { z } from 'zod'
import { askJudge } from '../agents/helpers/judge.ts'
import { createVivaJudge, vivaJudge } from '../agents/helpers/viva-judge.ts'
import { naturalLanguageCheck } from '../checks/natural-language.ts'
import type { BuiltCondition } from './conditions.ts'
import { answeredTurns } from './conversation-context.ts'
import { shownTurns } from './evidence.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { type Provider, toModel } from './provider.ts'

export interface NaturalLanguageOptions {
  provider: Provider
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

/** Met when a model is sure enough that the answer is yes. */
export function naturalLanguage(options: NaturalLanguageOptions): BuiltCondition<unknown> {
  checkOptions(naturalLanguageOptions, options, 'naturalLanguage')
  const { provider, prompt, threshold } = options
  const model = toModel(provider)
  const agent = createVivaJudge(vivaJudge, () => model)
  const check = naturalLanguageCheck(
    { prompt, threshold },
    {
      judge: (question, scope) => askJudge(agent, question, scope),
      conversation: (view) => shownTurns(answeredTurns(view)),
    },
  )
  return { condition: { check } }
}
