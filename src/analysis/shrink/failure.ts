import type { Where } from '../../checks/definition.ts'
import type { NestedAssertion } from '../../checks/group.ts'
import { namedTurns, renumberTurns } from '../../checks/renumber-turns.ts'
import { isRecord, sortedJson } from '../../json/json.ts'
import type { CaseResult } from '../../results/result.ts'
import type { CheckResult } from '../../results/transcript/check-result.ts'
import type { Turn } from '../../results/transcript/turn.ts'

/** Why a conversation failed, without what may differ from run to run: the number of a turn, the words of a reply. */
export type FailureSignature =
  | { kind: 'assertion'; check: FailedAssertion }
  | { kind: 'agent_error'; message: string }
  | {
      kind: 'checkpoint_failed' | 'missing_checkpoints'
      id: string
      /** Those that had been reached must be reached again: any conversation misses some. */
      reached: readonly string[]
    }
  | { kind: 'timeout' | 'empty_reply' | 'missing_input' | 'condition_met' }

export interface FailedAssertion {
  where: Where
  /** As a case has it. */
  assertion: NestedAssertion
  /** The turn that has it; absent for a final one. */
  turn?: number
}

/** The reason of a recorded failure; undefined where no conversation that is written in advance can fail for it. */
export function readReason(result: CaseResult): FailureSignature | undefined {
  const { failure, checkpoints } = result
  switch (failure?.kind) {
    case 'assertion': {
      const check = findFailedAssertion(result)
      return check && { kind: 'assertion', check }
    }
    case 'agent_error':
      return { kind: 'agent_error', message: normaliseError(failure.message) }
    case 'checkpoint_failed':
    case 'missing_checkpoints': {
      const isForbidden = failure.kind === 'checkpoint_failed'
      const wrong = checkpoints.find(({ forbidden, required, turn }) =>
        isForbidden ? forbidden && turn !== undefined : required && turn === undefined,
      )
      return wrong && { kind: failure.kind, id: wrong.id, reached: reachedCheckpoints(result) }
    }
    case 'timeout':
    case 'empty_reply':
    case 'missing_input':
    case 'condition_met':
      return { kind: failure.kind }
    default:
      return undefined
  }
}

/** Whether a result has failed for this reason. */
export function hasFailedFor(reason: FailureSignature, result: CaseResult): boolean {
  if (result.status !== 'failed' || result.fault !== 'agent' || result.failure?.kind !== reason.kind)
    return false
  const found = readReason(result)
  switch (reason.kind) {
    case 'assertion':
      return found?.kind === 'assertion' && assertionKey(found.check) === assertionKey(reason.check)
    case 'agent_error':
      return found?.kind === 'agent_error' && found.message === reason.message
    case 'checkpoint_failed':
    case 'missing_checkpoints': {
      const wrong = result.checkpoints.find(({ id }) => id === reason.id)
      const isReached = wrong?.turn !== undefined
      const reached = new Set(reachedCheckpoints(result))
      return (
        wrong !== undefined &&
        isReached === (reason.kind === 'checkpoint_failed') &&
        reason.reached.every((id) => reached.has(id))
      )
    }
    default:
      return true
  }
}

/** The first failed check that decides, as the verdict names it. */
function findFailedAssertion({ view, finals }: CaseResult): FailedAssertion | undefined {
  const isFailed = ({ status, gates }: CheckResult) => status === 'failed' && gates
  for (const { number, checks } of view.turns) {
    const check = checks.find(isFailed)
    if (check !== undefined) return { where: 'turn', assertion: asWritten(check), turn: number }
  }
  const check = finals.find(isFailed)
  return check && { where: 'final', assertion: asWritten(check) }
}

function asWritten({ type, fields }: CheckResult): NestedAssertion {
  return { type, ...fields }
}

function assertionKey({ where, assertion }: FailedAssertion): string {
  return sortedJson([where, withoutTurn(assertion)])
}

function withoutTurn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTurn)
  if (!isRecord(value) || typeof value.type !== 'string') return value
  const { turn: _, assertions, ...rest } = value
  return assertions === undefined ? rest : { ...rest, assertions: withoutTurn(assertions) }
}

function reachedCheckpoints({ checkpoints }: CaseResult): string[] {
  return checkpoints.flatMap(({ id, forbidden, turn }) => (turn === undefined || forbidden ? [] : [id]))
}

/** Errors quote what was said, and name numbers and ids that are others in every run. */
function normaliseError(message: string): string {
  return message
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '"…"')
    .replace(/\b(?=[\da-f-]*\d)[\da-f]{4,}(?:-[\da-f]+)*\b/gi, '#')
    .replace(/\d+/g, '#')
    .trim()
}

/** Whether the reply of a turn, or the error that came in its place, contains a text. */
export function hasReply(turn: Turn | undefined, wanted: string): boolean {
  const text = turn?.reply?.content ?? turn?.error ?? ''
  return text.toLowerCase().includes(wanted.toLowerCase())
}

/** Which part of a conversation a failure is about. */
export interface FailureScope {
  /** The turns that the failing check looks at: they stay. Empty if it looks at all of them. */
  pinned: ReadonlySet<number>
  /** What comes after this turn cannot be the cause. */
  last: number
  /** Whether it can be checked if turns before the pinned ones are history. */
  looksAtFewTurns: boolean
}

export function findFailureScope(reason: FailureSignature, { view }: CaseResult): FailureScope {
  const count = view.turns.length
  if (reason.kind !== 'assertion') {
    // It ended the conversation, or something in the whole of it is missing.
    const isLast = reason.kind === 'missing_input'
    return { pinned: new Set(isLast ? [count] : []), last: count, looksAtFewTurns: isLast }
  }
  const { where, assertion, turn } = reason.check
  const named = namedTurns(assertion)
  const about = turn ?? assertion.turn ?? (looksAtLast(assertion, count) ? count : undefined)
  const pinned = new Set(about === undefined ? named : [...named, about])
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
