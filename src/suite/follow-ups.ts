import { z } from 'zod'
import type { Check } from '../checks/check.ts'
import type { MessageSource } from '../conversation/plan.ts'
import { errorMessage, InfrastructureError, TimeoutError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { isAiUser } from './ai-user.ts'
import { assertionsSchema, compileAssertions } from './assertions.ts'
import { createConversationContext } from './conversation-context.ts'
import { holdInput } from './held-values.ts'
import { fields } from './options.ts'
import type { FollowUpInput } from './test-case.ts'

type AnyFollowUp = FollowUpInput<unknown, unknown>

/** What is said after the first turn. */
export function followUpSource(followUps: readonly AnyFollowUp[], id: string): MessageSource {
  const checks = followUps.map(({ assert }, place) =>
    compileAssertions(assert, 'turn', id, 'multiTurn', 'followUpInputs', place, 'assert'),
  )
  return thoughtSource(followUps, checks, (place) => `follow-up input ${place + 1}`)
}

/** A first message that code or a model writes. */
export function openingSource(input: AnyFollowUp['input']): MessageSource {
  return thoughtSource([{ input }], [], () => 'the first input')
}

function thoughtSource(
  followUps: readonly AnyFollowUp[],
  checks: readonly Check[][],
  name: (place: number) => string,
): MessageSource {
  const whole = followUps.reduce((sum, { turns = 1 }) => sum + turns, 0)
  return {
    kind: 'follow_up',
    wants: (_, spoken) => spoken < whole,
    checksFrom: (spoken) => checksFrom(followUps, checks, spoken),
    async next({ view, spoken }, scope) {
      const found = followUpAt(followUps, spoken)
      if (found === undefined) return { end: 'exhausted' }
      const { input, description } = found.followUp
      const isThought = isAiUser(input)
      return {
        say: holdInput(
          typeof input === 'function' ? await think(found, name(found.place), view, scope) : input,
        ),
        source: isThought ? 'simulated' : view.turns.length === 0 ? 'initial' : 'static',
        ...(isThought && { simulated: { by: 'aiUser', format: 'text' as const } }),
        checks: checks[found.place] ?? [],
        ...defined({ description }),
      }
    },
  }
}

async function think({ followUp }: Found, name: string, view: View, scope: Scope): Promise<unknown> {
  const { input, description } = followUp
  const next = input as (context: unknown) => unknown
  try {
    const thought = await next(createConversationContext(view, view.turns.length + 1, scope))
    if (thought === undefined || thought === null) throw new Error('it gave no input')
    return thought
  } catch (error) {
    scope.stop.throwIfAborted()
    if (error instanceof TimeoutError || error instanceof InfrastructureError) throw error
    const which = `${name}${description === undefined ? '' : ` (${description})`}`
    throw new InfrastructureError('simulator_error', `${which}: ${errorMessage(error)}`, { cause: error })
  }
}

function checksFrom(
  followUps: readonly AnyFollowUp[],
  checks: readonly Check[][],
  spoken: number,
): readonly (readonly Check[])[] {
  let before = 0
  return followUps.flatMap(({ turns = 1 }, place) => {
    const left = turns - Math.max(0, spoken - before)
    before += turns
    const times = left === Number.POSITIVE_INFINITY ? 1 : Math.max(0, left)
    return Array.from({ length: times }, () => checks[place] ?? [])
  })
}

interface Found {
  followUp: AnyFollowUp
  place: number
}

function followUpAt(followUps: readonly AnyFollowUp[], spoken: number): Found | undefined {
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
    assert: assertionsSchema().optional(),
    turns: fields.turns().optional(),
  })
  return z.array(followUp).superRefine((followUps, context) => {
    const endless = followUps.findIndex(({ turns }) => turns === Number.POSITIVE_INFINITY)
    if (endless === -1 || endless === followUps.length - 1) return
    const message = 'Infinity means that what comes after it is never used: put it last'
    context.addIssue({ code: 'custom', path: [endless, 'turns'], message })
  })
}
