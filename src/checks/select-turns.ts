import type { Turn } from '../results/transcript/turn.ts'
import type { AssertionDefinition, CommonFields, Where } from './definition.ts'

/** The groups of turns to judge separately, and whether any or all of them must pass. */
type TurnSelection =
  | { groups: (readonly Turn[])[]; must: 'any' | 'all'; named: boolean }
  /** Why there is nothing to judge. */
  | { missing: string }

interface TurnSelector extends Pick<CommonFields, 'turn' | 'scope'> {
  where: Where
  looksAt: AssertionDefinition['looksAt']
}

/** Selects the turns that an assertion judges after turn `current`. */
export function selectTurns(
  { where, looksAt, turn, scope }: TurnSelector,
  turns: readonly Turn[],
  current: number,
): TurnSelection {
  const past = turns.filter(({ number }) => number <= current)
  if (past.length === 0) return { missing: 'there is no turn to look at' }
  if (turn !== undefined) return selectTurn(turn, past)
  if (scope === 'any' || scope === 'all')
    return { groups: past.map((each) => [each]), must: scope, named: true }
  if (scope === undefined && where === 'turn') return selectTurn(current, past, false)
  if (scope === undefined && looksAt !== 'output') return { groups: [past], must: 'all', named: false }
  const last = past.findLast(({ reply }) => reply !== undefined)
  return last === undefined
    ? { missing: 'the agent gave no reply' }
    : { groups: [[last]], must: 'all', named: false }
}

function selectTurn(wanted: number, turns: readonly Turn[], named = true): TurnSelection {
  const found = turns.find(({ number }) => number === wanted)
  if (found !== undefined) return { groups: [[found]], must: 'all', named }
  return { missing: `there is no turn ${wanted} (${turns.length} so far)` }
}
