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
  /** Nobody could take it, and why. */
  skip_reason?: string | undefined
}

/** The turns of a result; that of a single-turn case stands in the result itself. Only another connector is named. */
export function turnsOf(result: PageResult): ShownTurn[] {
  if (result.turns)
    return result.turns.map((turn) =>
      turn.status === 'skipped' ? { ...turn, failed: false } : shownTurn(turn, result.connector),
    )
  if (result.kind === 'script' || result.total_turns === 0) return []
  const { error, connector: _, skip_reason: __, turns: ___, expected: ____, ...fields } = result
  const failed = result.status === 'failed'
  const saysWhy = failed && result.awaiting_reason === 'no_reply' && typeof error === 'string'
  return [{ ...fields, turn: 1, failed, ...timeOf(result.reply_ms), ...(saysWhy ? { error } : {}) }]
}

function shownTurn({ connector, ...turn }: TurnLine, usual: string | undefined): ShownTurn {
  return {
    ...turn,
    ...(connector === usual ? {} : { connector }),
    failed: turn.status === 'failed',
    ...timeOf(turn.reply_ms ?? turn.duration_ms),
  }
}

/** How the conversation ended, on one line; what it says itself is not said twice. */
export function endOf({ reason, detail }: PageResult['termination']): string {
  const name = reason.replaceAll('_', ' ')
  const said = oneLine(detail, 200)
  if (said === '' || said.toLowerCase().startsWith(name)) return said || name
  return `${name}: ${said}`
}

function timeOf(ms: number | undefined): { ms?: number } {
  return ms === undefined ? {} : { ms }
}

export interface FailingCheck {
  check: CheckLine
  /** The turn it stands beside; none for a final check. */
  turn?: number
}

/** Every check that stands in the way of a pass, as `src/results/transcript/check-result.ts` has it. */
export function failingChecks(result: PageResult): FailingCheck[] {
  const fails = ({ gates, status }: CheckLine) => gates !== false && status !== 'passed'
  return [
    ...turnsOf(result).flatMap(({ turn, assertions = [] }) =>
      assertions.filter(fails).map((check) => ({ check, turn })),
    ),
    ...(result.final_assertions ?? []).filter(fails).map((check) => ({ check })),
  ]
}

/** Required ones that were missed, and forbidden ones that were reached. */
export function failingCheckpoints({ checkpoints = [] }: PageResult): CheckpointLine[] {
  return checkpoints.filter(({ passed, required }) => !passed && required !== false)
}

/** Why it is what it is; the first line says it. */
export function headlineOf(result: PageResult): { first: string; rest: string } {
  const { status, error, skip_reason, error_kind: kind = '', termination } = result
  if (status === 'passed') return { first: '', rest: '' }
  const failure = { kind, message: error || skip_reason || '' }
  const reason = failureText(failure, termination) || failingChecks(result)[0]?.check.reason || status
  const [first = '', ...rest] = reason.trim().split('\n')
  if (first.length <= 300) return { first, rest: rest.join('\n').trim() }
  return { first: shorten(first, 280), rest: reason }
}
