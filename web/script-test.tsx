import { oneLine, printable } from '../src/reporters/printable.ts'
import { shortTime } from '../src/text/duration.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import type { PageResult } from './report-data.ts'

/** The assertions and subtests of a script test. Failed assertions are shown above, as the reason. */
export function ScriptTest({ result }: { result: PageResult }) {
  const { assertions = 0, subtests = [] } = result.script ?? {}
  const failed = (result.final_assertions ?? []).length
  return (
    <section>
      <h3>
        Script test{' '}
        <span class="note">
          {assertions} {assertions === 1 ? 'assertion' : 'assertions'}
          {failed > 0 ? `, ${failed} failed` : ''}
        </span>
      </h3>
      {subtests.length > 0 ? (
        <ul class="subtests">
          {subtests.map(({ name, status, duration_ms, reason }, index) => (
            <li key={index}>
              <OutcomeMark outcome={status} /> <span>{oneLine(name, 200)}</span>{' '}
              <span class="note">{shortTime(duration_ms)}</span>
              {reason ? <p class="small-print">{printable(reason)}</p> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
