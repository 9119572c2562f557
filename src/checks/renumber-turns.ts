import { defined } from '../json/defined.ts'
import type { Where } from './definition.ts'
import type { NestedAssertion } from './group.ts'
import { looksAt } from './list.ts'

/** How the turns of a conversation are counted when some of them are not played, or others are played before them. */
export interface TurnShift {
  /** Turns up to this one are not played. */
  unplayed: number
  /** What is added to the numbers of the others. */
  by: number
}

/** The assertion with the new numbers of its turns; undefined if it looks at a turn that is not played. */
export function renumberTurns<Written extends NestedAssertion>(
  assertion: Written,
  where: Where,
  shift: TurnShift,
): Written | undefined {
  const { turn, scope, assertions } = assertion
  if (turn === undefined ? shift.unplayed > 0 && looksBack(assertion, where) : turn <= shift.unplayed)
    return undefined
  const inner = turn === undefined && scope === undefined ? where : 'turn'
  const members = Array.isArray(assertions)
    ? (assertions as NestedAssertion[]).map((member) => renumberTurns(member, inner, shift))
    : undefined
  if (members?.includes(undefined)) return undefined
  return { ...assertion, ...defined({ turn: turn && turn + shift.by, assertions: members }) }
}

/** Whether it looks at all turns so far. A group looks at what its members look at. */
function looksBack({ type, scope }: NestedAssertion, where: Where): boolean {
  if (scope !== undefined) return scope !== 'last'
  return where === 'final' && !['output', 'assertions'].includes(looksAt(type))
}

/** The turns that an assertion names, in groups too. */
export function namedTurns({ turn, assertions }: NestedAssertion): number[] {
  const members = Array.isArray(assertions) ? (assertions as NestedAssertion[]).flatMap(namedTurns) : []
  return turn === undefined ? members : [turn, ...members]
}

/** The assertion with other numbers for the turns that it names. All of them must have one. */
export function moveTurns<Written extends NestedAssertion>(
  assertion: Written,
  numbers: ReadonlyMap<number, number>,
): Written {
  const { turn, assertions } = assertion
  const members = Array.isArray(assertions)
    ? (assertions as NestedAssertion[]).map((member) => moveTurns(member, numbers))
    : undefined
  return { ...assertion, ...defined({ turn: turn && numbers.get(turn), assertions: members }) }
}
