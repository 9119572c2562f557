import { oneLine, printable } from '../src/reporters/printable.ts'
import type { CheckLine } from '../src/results/line-schema.ts'
import { DifferenceView } from './difference-view.tsx'
import { Fold } from './fold.tsx'
import { JsonView } from './json-view.tsx'
import { LongText } from './long-text.tsx'
import { TurnLink } from './turn-link.tsx'

const signs = { passed: '✓', failed: '✗', unknown: '?', error: '!' }
const words = { passed: 'passed', failed: 'failed', unknown: 'could not be judged', error: 'judging broke' }

interface CheckProps {
  check: CheckLine
  turn?: number
  /** What has been said above, and need not be said again. */
  said?: string
}

/** A check: what came of it on one line, and more where there is more. */
export function Check({ check, turn, said }: CheckProps) {
  const { type, passed: _, status, reason, expected, actual, score, details, gates, at, ...fields } = check
  const failed = status !== 'passed'
  const hasValues = expected !== undefined || actual !== undefined
  const hasMore = details !== undefined || Object.keys(fields).length > 0 || (hasValues && !failed)
  return (
    <li class={`check ${status} ${gates === false ? 'tracked' : ''}`}>
      <div class="check-line">
        <span class="sign" title={words[status]}>
          <span aria-hidden="true">{signs[status] ?? '?'}</span>
          <span class="visually-hidden">{words[status] ?? oneLine(String(status))}</span>
        </span>
        <code>{oneLine(type, 60)}</code>
        {turn === undefined ? null : <TurnLink turn={turn} />}
        {gates === false ? <span class="chip">tracked only</span> : null}
        {score === undefined ? null : <span class="score">score {Math.round(score * 100) / 100}</span>}
        {typeof at === 'string' ? <code class="at">{oneLine(at, 200)}</code> : null}
        {reason === said ? null : (
          <span class="check-reason">
            <LongText text={reason ?? ''} />
          </span>
        )}
      </div>
      {failed && hasValues ? <DifferenceView expected={expected} actual={actual} /> : null}
      {failed && details !== undefined ? <JsonView value={details} /> : null}
      {hasMore ? (
        <Fold title={failed ? 'The check as written' : 'More'} class="check-more">
          {() => (
            <JsonView
              value={{
                ...fields,
                ...(failed ? {} : { expected, actual }),
                ...(details && !failed ? { details } : {}),
              }}
            />
          )}
        </Fold>
      ) : null}
    </li>
  )
}

/** Checks that nobody got to. */
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
