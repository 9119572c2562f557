import { oneLine, printable } from '../src/reporters/printable.ts'
import type { CheckLine } from '../src/results/line-schema.ts'
import { findCriterion } from '../src/results/transcript/criterion.ts'
import { DifferenceView } from './difference-view.tsx'
import { Fold } from './fold.tsx'
import { JsonView } from './json-view.tsx'
import { LongText } from './long-text.tsx'
import { TurnLink } from './turn-link.tsx'

const signs = { passed: '✓', failed: '✗', unknown: '?', error: '!' }
const words = { passed: 'passed', failed: 'failed', unknown: 'could not be judged', error: 'judging failed' }

interface CheckProps {
  check: CheckLine
  /** Its turn, when the check is shown elsewhere. */
  turn?: number
  /** A text that is already shown above and need not be repeated. */
  shown?: string
  /** Whether the details are open at first. */
  open?: boolean
}

/** A check with its result on one line, and its details. */
export function Check({ check, turn, shown, open = false }: CheckProps) {
  const { type, passed: _, status, reason, expected, actual, score, details, gates, at, ...fields } = check
  const failed = status !== 'passed'
  const criterion = findCriterion({ type, fields })
  const hasValues = expected !== undefined || actual !== undefined
  const written = { ...fields, ...(failed ? {} : { expected, actual, details }) }
  const hasWritten = Object.values(written).some((value) => value !== undefined)
  const more = () => (
    <>
      {failed && hasValues ? <DifferenceView check={check} /> : null}
      {failed && details !== undefined ? <JsonView value={details} /> : null}
      {failed && hasWritten ? (
        <Fold title="The check as written">{() => <JsonView value={fields} />}</Fold>
      ) : hasWritten ? (
        <JsonView value={written} />
      ) : null}
    </>
  )
  const line = (
    <span class="check-line">
      <span class="sign" title={words[status]}>
        <span aria-hidden="true">{signs[status] ?? '?'}</span>
        <span class="visually-hidden">{words[status] ?? oneLine(String(status))}</span>
      </span>
      <code>{oneLine(type, 60)}</code>
      {criterion === undefined ? null : <q class="criterion">{criterionText(criterion)}</q>}
      {turn === undefined ? null : <TurnLink turn={turn} />}
      {gates === false ? <span class="chip">tracked only</span> : null}
      {score === undefined ? null : <span class="score">score {Math.round(score * 100) / 100}</span>}
      {typeof at === 'string' ? <code class="at">{oneLine(at, 200)}</code> : null}
      {reason === shown ? null : (
        <span class="check-reason">
          {open ? <LongText text={reason ?? ''} /> : oneLine(reason ?? '', 400)}
        </span>
      )}
    </span>
  )
  const hasMore = hasWritten || details !== undefined || hasValues
  return (
    <li class={`check ${status}`}>
      {open || !hasMore ? line : null}
      {open ? <div class="check-more">{more()}</div> : null}
      {!open && hasMore ? (
        <Fold title={line} class="check-fold">
          {() => <div class="check-more">{more()}</div>}
        </Fold>
      ) : null}
    </li>
  )
}

/** Several criteria are joined. */
function criterionText(criterion: unknown): string {
  const parts = Array.isArray(criterion) ? criterion : [criterion]
  return oneLine(
    parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('; '),
    500,
  )
}

/** Checks that were not evaluated. */
export function NotEvaluated({ types }: { types: readonly string[] }) {
  return (
    <>
      {types.map((type, index) => (
        <li key={index} class="check not-evaluated">
          <div class="check-line">
            <span class="sign" aria-hidden="true">
              ·
            </span>
            <code>{printable(type)}</code> <span class="check-reason">not evaluated</span>
          </div>
        </li>
      ))}
    </>
  )
}
