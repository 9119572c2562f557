import { z } from 'zod'
import type { MessageSource } from '../conversation/plan.ts'
import { InfrastructureError, messageOf, TimeoutError } from '../errors.ts'
import { isAiUser } from './ai-user.ts'
import { contextOf } from './conversation-context.ts'
import { holdInput } from './held-values.ts'
import { fields } from './options.ts'
import type { FollowUpInput } from './test-case.ts'

type AnyFollowUp = FollowUpInput<unknown, unknown>

/** What is said after the first turn. */
export function followUpSource(followUps: readonly AnyFollowUp[]): MessageSource {
  const whole = followUps.reduce((sum, { turns = 1 }) => sum + turns, 0)
  return {
    kind: 'follow_up',
    wants: (_, spoken) => spoken < whole,
    async next({ view, spoken }, scope) {
      const found = followUpAt(followUps, spoken)
      if (found === undefined) return { end: 'exhausted' }
      const { followUp, place } = found
      const { input, description } = followUp
      const value = typeof input === 'function' ? await think() : input
      return {
        say: holdInput(value),
        source: isAiUser(input) ? 'simulated' : 'static',
        ...(isAiUser(input) && { simulated: { by: 'aiUser', format: 'text' as const } }),
        checks: [],
        ...(description !== undefined && { description }),
      }

      async function think(): Promise<unknown> {
        const which = `follow-up input ${place + 1}${description === undefined ? '' : ` (${description})`}`
        try {
          const thought = await (input as (context: unknown) => unknown)(
            contextOf(view, view.turns.length + 1, scope),
          )
          if (thought === undefined || thought === null) throw new Error('it gave no input')
          return thought
        } catch (error) {
          scope.signal.throwIfAborted()
          if (error instanceof TimeoutError || error instanceof InfrastructureError) throw error
          throw new InfrastructureError('simulator_error', `${which}: ${messageOf(error)}`, { cause: error })
        }
      }
    },
  }
}

function followUpAt(
  followUps: readonly AnyFollowUp[],
  spoken: number,
): { followUp: AnyFollowUp; place: number } | undefined {
  let left = spoken
  for (const [place, followUp] of followUps.entries()) {
    const { turns = 1 } = followUp
    if (left < turns) return { followUp, place }
    left -= turns
  }
  return undefined
}

export function followUpsSchema() {
  const followUp = z.strictObject({
    input: fields.present(),
    description: z.string().optional(),
    turns: fields.turns().optional(),
  })
  return z.array(followUp).superRefine((followUps, context) => {
    const endless = followUps.findIndex(({ turns }) => turns === Number.POSITIVE_INFINITY)
    if (endless === -1 || endless === followUps.length - 1) return
    const message = 'Infinity means that what comes after it is never used: put it last'
    context.addIssue({ code: 'custom', path: [endless, 'turns'], message })
  })
}
