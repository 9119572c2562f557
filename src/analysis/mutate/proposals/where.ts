import { type AddedCheck, isExpectedOnly } from '../../../cases/add-checks.ts'
import type { AuthoredCase } from '../../../cases/case-schema.ts'
import type { AssertionInput } from '../../../checks/assertion-type.ts'
import type { CaseResult } from '../../../results/result.ts'
import type { CheckCandidate } from './candidate.ts'

/** Where a check on a turn is written, and what it looks at there. */
export interface CheckPlace {
  at: AddedCheck['at']
  /** Set for a check at the end that looks at one turn. */
  turn?: number
  /** Nobody knows in which turn a simulated user asks for it. */
  anyTurn?: true
}

export function findWhere(
  authored: AuthoredCase,
  { view, singleTurn }: CaseResult,
  place: number,
): CheckPlace {
  const turn = view.turns[place]
  const { number = place + 1, source } = turn ?? {}
  if (source === 'static') {
    const index = view.turns.slice(0, place).filter((each) => each.source === 'static').length
    const written = authored.turns?.[index]
    if (written !== undefined && !isExpectedOnly(written)) return { at: { turn: index } }
    return { at: 'end', turn: number }
  }
  if (source === 'initial')
    return singleTurn && !isExpectedOnly(authored)
      ? { at: 'case' }
      : singleTurn
        ? { at: 'end' }
        : { at: 'end', turn: number }
  return place === view.turns.length - 1 ? { at: 'end' } : { at: 'end', anyTurn: true }
}

/** Where a check is that looks at all turns; undefined for cases with one turn. */
export function findWhereForAll({ singleTurn }: CaseResult): CheckPlace | undefined {
  return singleTurn ? undefined : { at: 'end', anyTurn: true }
}

export function placeCandidate(
  { assertion, looksAt }: CheckCandidate,
  { at, turn, anyTurn }: CheckPlace,
): AddedCheck {
  const more: Partial<AssertionInput> =
    turn !== undefined ? { turn } : anyTurn && looksAt === 'reply' ? { scope: 'any' } : {}
  return { at, assertion: { ...assertion, ...more } as AssertionInput }
}

/** Whether tools are looked at in all turns. */
export function seesAllTurns({ at, turn }: CheckPlace): boolean {
  return at === 'end' && turn === undefined
}
