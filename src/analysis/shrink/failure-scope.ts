import type { NestedAssertion } from '../../checks/group.ts'
import { namedTurns, renumberTurns } from '../../checks/renumber-turns.ts'
import type { CaseResult } from '../../results/result.ts'
import type { FailureSignature } from './failure.ts'

/** Which part of a conversation a failure is about. */
export interface FailureScope {
  /** The turns that the failing check looks at: they stay. Empty if it looks at all of them. */
  pinned: ReadonlySet<number>
  /** What comes after this turn cannot be the cause. */
  last: number
  /** Whether it can be checked if turns before the pinned ones are history. */
  looksAtFewTurns: boolean
}

/** What these look for is itself the mistake. Of a number, the reply says nothing. */
const ofTheirOwn = new Set(['not_contains', 'tool_not_called', 'latency', 'cost', 'length'])

/**
 * Whether any reply that has nothing to do with the question would fail, too. `contains` is such a check: a conversation
 * that has lost its context fails it.
 */
export function expectsSomething(reason: FailureSignature): boolean {
  if (reason.kind !== 'assertion') return reason.kind === 'missing_checkpoints'
  const { type, negate } = reason.check.assertion
  return !ofTheirOwn.has(type) && negate !== true
}

/** Their failure need not show in the text of a reply. */
const notOfTheText = new Set([
  'tool_called',
  'tool_not_called',
  'tool_order',
  'tool_result',
  'state',
  'latency',
  'cost',
])

/** Whether a failing reply that is not like the recorded one may be another mistake: that it fails the same check says little. */
export function isAboutReply(reason: FailureSignature, { pinned }: FailureScope): boolean {
  if (expectsSomething(reason)) return true
  if (reason.kind !== 'assertion' || notOfTheText.has(reason.check.assertion.type)) return false
  // Without a turn that stays, the mistake may be in any reply.
  return pinned.size > 0
}

export function findFailureScope(reason: FailureSignature, { view }: CaseResult): FailureScope {
  const count = view.turns.length
  if (reason.kind !== 'assertion') {
    // An open question ended the conversation. Anything lacks a checkpoint, so its end must stay as it was.
    const isLast = reason.kind === 'missing_input'
    const keepsLast = isLast || expectsSomething(reason)
    return { pinned: new Set(keepsLast ? [count] : []), last: count, looksAtFewTurns: isLast }
  }
  const { where, assertion, turn } = reason.check
  const named = namedTurns(assertion)
  const about = turn ?? assertion.turn ?? (looksAtLast(assertion, count) ? count : undefined)
  const pinned = new Set(about === undefined ? named : [...named, about])
  // Any short conversation lacks what is expected of the whole, so its end must stay as it was.
  if (about === undefined && expectsSomething(reason)) pinned.add(count)
  const last = about === undefined ? count : Math.max(...pinned)
  const first = Math.min(...pinned)
  const withoutOthers = { unplayed: first - 1, by: 0 }
  const looksAtFewTurns = about !== undefined && renumberTurns(assertion, where, withoutOthers) !== undefined
  return { pinned, last, looksAtFewTurns }
}

/** A final check of the last reply. */
function looksAtLast(assertion: NestedAssertion, count: number): boolean {
  return count === 1 || renumberTurns(assertion, 'final', { unplayed: count - 1, by: 0 }) !== undefined
}
