import { printable } from '../src/reporters/printable.ts'
import { shorten } from '../src/text/shorten.ts'
import { kindName } from './charts/failure-kinds.tsx'
import { Check } from './check.tsx'
import { CopyPrompt } from './copy-prompt.tsx'
import { outcomeNames } from './outcomes.ts'
import type { PageResult, PageRow } from './report-data.ts'
import { failingCheckpoints, failingChecks, listTurns, splitReason } from './result-turns.ts'
import { ScrolledText } from './scrolled-text.tsx'
import { TurnLink } from './turn-link.tsx'

const mostChecks = 10

interface CaseReasonProps {
  result: PageResult
  row: PageRow
  command: string | undefined
}

/** Why it failed, for a reader with ten seconds. */
export function CaseReason({ result, row, command }: CaseReasonProps) {
  if (result.status === 'passed') return <PassedNote result={result} />
  const { first, rest } = splitReason(result)
  const checks = failingChecks(result)
  const checkpoints = failingCheckpoints(result)
  return (
    <section class={`reason-box ${row.outcome}`} aria-labelledby="reason-title">
      <p class="reason-kind">
        <b>{outcomeNames[row.outcome]}</b>
        {result.error_kind ? <span>{kindName(result.error_kind)}</span> : null}
        {result.fault && result.fault !== 'agent' ? (
          <span>{result.fault === 'infrastructure' ? 'infrastructure error' : 'bug in viva'}</span>
        ) : null}
        {result.retrying ? <span>retried</span> : null}
        {result.status === 'failed' ? <CopyPrompt result={result} command={command} /> : null}
      </p>
      <h3 id="reason-title">{printable(first)}</h3>
      {rest === '' ? null : <ScrolledText class="reason-rest" text={rest} />}
      {result.expected_failure ? <p>Expected to fail: {printable(result.expected_failure)}</p> : null}
      <ul class="checks">
        {checks.slice(0, mostChecks).map(({ check, turn }, index) => (
          <Check key={index} check={check} shown={first} open {...(turn === undefined ? {} : { turn })} />
        ))}
      </ul>
      {checks.length > mostChecks ? <p>and {checks.length - mostChecks} more checks, below</p> : null}
      {checkpoints.length > 0 ? (
        <ul class="checkpoint-reasons">
          {checkpoints.map(({ id, forbidden, reached_at_turn, reason }) => (
            <li key={id}>
              <b>{printable(shorten(id, 200))}</b>{' '}
              {forbidden ? 'was reached, but is forbidden' : 'was not reached'}:{' '}
              {printable(shorten(reason, 500))}
              {reached_at_turn === undefined ? null : <TurnLink turn={reached_at_turn} />}
            </li>
          ))}
        </ul>
      ) : null}
      {checks.length === 0 ? <LastReply result={result} /> : null}
    </section>
  )
}

/** When no check failed, the last reply often shows what went wrong. */
function LastReply({ result }: { result: PageResult }) {
  const last = listTurns(result).findLast(({ response }) => typeof response === 'string' && response !== '')
  if (last?.response === undefined) return null
  return (
    <p class="last-reply">
      The agent’s last reply <TurnLink turn={last.turn} />
      <q>{printable(shorten(last.response, 300))}</q>
    </p>
  )
}

function PassedNote({ result }: { result: PageResult }) {
  const { expected_failure: expected } = result
  if (!result.flaky && !result.unchecked && expected === undefined) return null
  return (
    <section class="reason-box passed">
      {expected === undefined ? null : <p>Passed, though expected to fail: {printable(expected)}</p>}
      {result.flaky ? <p>Passed, but not at the first attempt.</p> : null}
      {result.unchecked ? <p>This case has no checks: any answer of the agent passes.</p> : null}
    </section>
  )
}
