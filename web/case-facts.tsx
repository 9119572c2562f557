import type { ComponentChild } from 'preact'
import { costText } from '../src/reporters/cost-text.ts'
import { oneLine } from '../src/reporters/printable.ts'
import { usageFromLine } from '../src/results/usage-line.ts'
import { formatDollars } from '../src/text/dollars.ts'
import { shortTime } from '../src/text/duration.ts'
import { shortCount } from './charts/cost.tsx'
import { Fold } from './fold.tsx'
import type { PageResult } from './report-data.ts'
import { turnsEnd } from './result-turns.ts'
import { Value } from './value.tsx'

/** Details of a result. */
export function CaseFacts({ result }: { result: PageResult }) {
  const { termination, tags = [] } = result
  const facts: [string, ComponentChild][] = [
    ['File', `${oneLine(result.file, 200)}:${result.line}`],
    ['Variant', oneLine(result.variant ?? '')],
    ['Connector', oneLine(result.connector ?? '')],
    ['Tags', tags.map((tag) => oneLine(tag)).join(', ')],
    ['Ended', turnsEnd(termination)],
    ['Took', shortTime(result.duration_ms)],
    ['Score', result.score === undefined ? '' : String(Math.round(result.score * 1000) / 1000)],
    ['Cost', costText(usageFromLine(result.usage))],
    ['Run', `${result.run}${result.attempt > 1 ? `, attempt ${result.attempt}` : ''}`],
    ['Session', <code key="session">{oneLine(result.session_id ?? '')}</code>],
  ]
  return (
    <section>
      <h3>Details</h3>
      <dl class="case-facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <UsageTable result={result} />
      {result.expected === undefined ? null : (
        <Fold title="Expected output">{() => <Value value={result.expected} />}</Fold>
      )}
    </section>
  )
}

function UsageTable({ result }: { result: PageResult }) {
  const usages = Object.entries(result.usage ?? {})
  if (usages.length === 0) return null
  const count = (number: number | undefined) => (number === undefined ? '–' : shortCount(number))
  return (
    <table class="usage">
      <thead>
        <tr>
          <th scope="col">Usage</th>
          <th scope="col">calls</th>
          <th scope="col">tokens in</th>
          <th scope="col">out</th>
          <th scope="col">cost</th>
        </tr>
      </thead>
      <tbody>
        {usages.map(([role, { calls, retries, replayed_calls, input_tokens, output_tokens, cost }]) => (
          <tr key={role}>
            <th scope="row">{oneLine(role)}</th>
            <td>
              {calls}
              {retries > 0 ? ` + ${retries} retries` : ''}
              {replayed_calls ? ` (${replayed_calls} recorded)` : ''}
            </td>
            <td>{count(input_tokens)}</td>
            <td>{count(output_tokens)}</td>
            <td>{cost === undefined ? 'unknown' : formatDollars(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
