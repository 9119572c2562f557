import type { AuthoredCase } from '../../cases/case-schema.ts'
import { collectAssertions } from '../../cases/conditions.ts'
import type { ConversationCase } from '../../cases/entry.ts'
import { listAssertions } from '../../cases/places.ts'
import type { Check } from '../../checks/check.ts'
import { type Assertion, asksModel } from '../../checks/list.ts'
import type { CaseResult } from '../../results/result.ts'

/** What of a case is left to models. */
export interface ModelChecks {
  /** How many assertions, checkpoints and conditions. */
  count: number
  /** Nothing else decides about the case. */
  only: boolean
}

export function findModelChecks(authored: AuthoredCase): ModelChecks {
  const deciding = listAssertions(authored).filter(({ assertion }) => assertion.gates !== false)
  const asked = deciding.filter(({ assertion }) => asksModel(assertion))
  const isExpected = [authored, ...(authored.turns ?? [])].some(({ expected }) => expected !== undefined)
  return { count: asked.length, only: asked.length > 0 && asked.length === deciding.length && !isExpected }
}

type Checked = Pick<AuthoredCase, 'assert' | 'assertions' | 'final_assertions'>

/** The case without assertions and conditions that ask models: what they do not see, they do not notice. */
export function withoutModelChecks(authored: AuthoredCase): AuthoredCase {
  const { turns, terminate_when: conditions } = authored
  return {
    ...withoutAsked(authored),
    ...(turns !== undefined && { turns: turns.map(withoutAsked) }),
    ...(conditions !== undefined && { terminate_when: conditions.filter((each) => !isAsked(each)) }),
  }
}

function withoutAsked<Part extends Checked>(part: Part): Part {
  const left: Checked = {}
  for (const key of ['assert', 'assertions', 'final_assertions'] as const) {
    const written = part[key]
    if (written === undefined) continue
    const kept = [written].flat().map((each) => (asksModel(each) ? nothing : each))
    Object.assign(left, { [key]: kept })
  }
  return { ...part, ...left }
}

/** It holds the place of an assertion, so that `expected` does not come into force, and decides nothing. */
const nothing: Assertion = { type: 'awaiting_input', value: true, gates: false }

type Condition = NonNullable<AuthoredCase['terminate_when']>[number]

function isAsked(condition: Condition): boolean {
  return collectAssertions(condition, []).some(({ assertion }) => asksModel(assertion))
}

/**
 * Checkpoints and conditions that ask models decide what happens next, so they cannot be left out: they are reached, and
 * met, where they were in the recorded conversation.
 */
export function decideAsRecorded(
  { plan, ...rest }: ConversationCase,
  authored: AuthoredCase,
  recorded: CaseResult,
): ConversationCase {
  const { checkpoints = [], terminate_when: conditions = [] } = authored
  const isMet = recorded.termination.reason === 'condition_met' && conditions.some(isAsked)
  const turns = recorded.view.turns.length
  return {
    ...rest,
    plan: {
      ...plan,
      checkpoints: plan.checkpoints.map((checkpoint, place) => {
        const { assert, assertion } = checkpoints[place] ?? {}
        if (![assert ?? assertion ?? []].flat().some(asksModel)) return checkpoint
        const reached = recorded.checkpoints.find(({ id }) => id === checkpoint.id)?.turn
        return { ...checkpoint, check: passesFrom(reached) }
      }),
      conditions: isMet ? [...plan.conditions, { check: passesFrom(turns) }] : plan.conditions,
    },
  }
}

function passesFrom(turn: number | undefined): Check {
  return {
    type: 'judge',
    run: ({ turns }) => ({
      type: 'judge',
      status: turn !== undefined && turns.length >= turn ? 'passed' : 'failed',
      gates: true,
      reason: 'as it was recorded',
    }),
  }
}
