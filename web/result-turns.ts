import { oneLine } from '../src/reporters/printable.ts'
import { failureText } from '../src/results/failure-text.ts'
import type { CheckLine, CheckpointLine, TurnFields, TurnLine } from '../src/results/line-schema.ts'
import { shorten } from '../src/text/shorten.ts'
import type { PageResult } from './report-data.ts'

export interface ShownTurn extends Pick<PageResult, keyof TurnFields> {
  turn: number
  failed: boolean
  error?: string | undefined
  ms?: number
  /** Why the turn was skipped. */
  skip_reason?: string | undefined
}

/** The turns of a result; a single-turn case has its turn in the result itself. The connector is named only if it differs. */
export function listTurns(result: PageResult): ShownTurn[] {
  if (result.turns)
    return result.turns.map((turn) =>
      turn.status === 'skipped' ? { ...turn, failed: false } : shownTurn(turn, result.connector),
    )
  if (result.kind === 'script' || result.total_turns === 0) return []
  const { error, connector: _, skip_reason: __, turns: ___, expected: ____, ...fields } = result
  const failed = result.status === 'failed'
  const saysWhy = failed && result.awaiting_reason === 'no_reply' && typeof error === 'string'
  return [{ ...fields, turn: 1, failed, ...optionalTime(result.reply_ms), ...(saysWhy ? { error } : {}) }]
}

function shownTurn({ connector, ...turn }: TurnLine, usual: string | undefined): ShownTurn {
  return {
    ...turn,
    ...(connector === usual ? {} : { connector }),
    failed: turn.status === 'failed',
    ...optionalTime(turn.reply_ms ?? turn.duration_ms),
  }
}

/** How the conversation ended, on one line, without repeating the reason in the detail. */
export function turnsEnd({ reason, detail }: PageResult['termination']): string {
  const name = reason.replaceAll('_', ' ')
  const text = oneLine(detail, 200)
  if (text === '' || text.toLowerCase().startsWith(name)) return text || name
  return `${name}: ${text}`
}

function optionalTime(ms: number | undefined): { ms?: number } {
  return ms === undefined ? {} : { ms }
}

export interface FailingCheck {
  check: CheckLine
  /** The turn of the check; absent for a final check. */
  turn?: number
}

/** Every check that keeps a case from passing, see `src/results/transcript/check-result.ts`. */
export function failingChecks(result: PageResult): FailingCheck[] {
  const fails = ({ gates, status }: CheckLine) => gates !== false && status !== 'passed'
  return [
    ...listTurns(result).flatMap(({ turn, assertions = [] }) =>
      assertions.filter(fails).map((check) => ({ check, turn })),
    ),
    ...(result.final_assertions ?? []).filter(fails).map((check) => ({ check })),
  ]
}

/** Required checkpoints that were missed, and forbidden ones that were reached. */
export function failingCheckpoints({ checkpoints = [] }: PageResult): CheckpointLine[] {
  return checkpoints.filter(({ passed, required }) => !passed && required !== false)
}

/** The reason for a result; the first line is the headline. */
export function splitReason(result: PageResult): { first: string; rest: string } {
  const { status, error, skip_reason, error_kind: kind = '', termination } = result
  if (status === 'passed') return { first: '', rest: '' }
  const failure = { kind, message: error || skip_reason || '' }
  const reason = failureText(failure, termination) || failingChecks(result)[0]?.check.reason || status
  const [first = '', ...rest] = reason.trim().split('\n')
  if (first.length <= 300) return { first, rest: rest.join('\n').trim() }
  return { first: shorten(first, 280), rest: reason }
}
