import type { Where } from '../../checks/definition.ts'
import type { NestedAssertion } from '../../checks/group.ts'
import { isRecord, sortedJson } from '../../json/json.ts'
import type { CaseResult } from '../../results/result.ts'
import type { CheckResult } from '../../results/transcript/check-result.ts'
import { messageText } from '../../results/transcript/message.ts'

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
      return { kind: 'agent_error', message: normaliseError(failure.message, result) }
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

/** Errors quote what the user said, and name numbers and ids that are others in every run. Other quotations differ if the errors do. */
function normaliseError(message: string, { view }: CaseResult): string {
  const said = view.turns.map(({ input }) => messageText(input.message.content).toLowerCase())
  const isSaid = (quoted: string) => said.some((text) => text.includes(quoted.trim().toLowerCase()))
  return message
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, (quotation) =>
      isSaid(quotation.slice(1, -1)) ? '"…"' : quotation,
    )
    .replace(/\b(?=[\da-f-]*\d)[\da-f]{4,}(?:-[\da-f]+)*\b/gi, '#')
    .replace(/\d+/g, '#')
    .trim()
}
