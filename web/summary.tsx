import { carriedText, carriedTitle } from '../src/reporters/carried-text.ts'
import { gateText } from '../src/reporters/gate-text.ts'
import { originHeading, originMeaning } from '../src/reporters/origin-text.ts'
import { oneLine, printable } from '../src/reporters/printable.ts'
import { repairsText } from '../src/reporters/repairs-text.ts'
import { gateFromLine } from '../src/results/summary-line.ts'
import { usageFromLine } from '../src/results/usage-line.ts'
import { shortTime } from '../src/text/duration.ts'
import { CostChart } from './charts/cost.tsx'
import { DurationChart } from './charts/durations.tsx'
import { FailureKinds } from './charts/failure-kinds.tsx'
import { PassRateChart } from './charts/pass-rate.tsx'
import { StabilityChart } from './charts/stability.tsx'
import { CopyButton } from './copy-button.tsx'
import type { ChangeFilters, Filters } from './hash-state.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import type { Verdict } from './page-title.ts'
import type { ReportData } from './report-data.ts'
import type { RunFigures } from './run-figures.ts'
import { StatusButtons } from './status-buttons.tsx'
import { ThemeButton } from './theme.tsx'

interface SummaryProps {
  data: ReportData
  figures: RunFigures
  /** The filters that can be changed here. */
  status: Filters['status']
  kind: string | undefined
  variant: string | undefined
  onFilter: ChangeFilters
  onKeys: () => void
}

export function Summary({ data, figures, status, kind, variant, onFilter, onKeys }: SummaryProps) {
  const { start, summary } = data.run
  const repairs = repairsText(usageFromLine(summary.usage))
  return (
    <header class="summary">
      <Masthead verdict={figures.verdict} onKeys={onKeys} />
      {start.origin === undefined ? null : (
        <p class="origin">
          <strong>{originHeading(start.origin)}</strong>: {originMeaning}
        </p>
      )}
      <Facts run={data.run} />
      <CarriedOverCases start={start} />
      {(summary.gates ?? []).map(gateFromLine).map((gate) => (
        <p class="facts" key={gate.gate}>
          Gate {gate.status}: {gateText(gate)}
        </p>
      ))}
      {summary.comparison ? <p class="facts">{oneLine(summary.comparison.text, 300)}</p> : null}
      {summary.over_budget === undefined ? null : <p class="facts">{oneLine(summary.over_budget, 300)}</p>}
      {repairs === undefined ? null : <p class="facts">{repairs}</p>}
      {start.command ? (
        <div class="command">
          <code>{printable(start.command)}</code>
          <CopyButton text={start.command} label="Copy" of="the command" />
        </div>
      ) : null}
      <StatusButtons counts={figures.counts} chosen={status} onFilter={onFilter} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable with the keyboard */}
      <section class="charts" tabIndex={0} aria-label="Figures">
        <PassRateChart rate={figures.rate} variants={figures.variants} chosen={variant} onFilter={onFilter} />
        <FailureKinds kinds={figures.kinds} chosen={kind} onFilter={onFilter} />
        <StabilityChart counts={figures.stabilities} />
        <DurationChart durations={figures.durations} />
        <CostChart summary={summary} />
      </section>
    </header>
  )
}

function Masthead({ verdict: { outcome, text }, onKeys }: { verdict: Verdict; onKeys: () => void }) {
  return (
    <div class="masthead">
      <h1>
        <OutcomeMark outcome={outcome} silent />
        <span class={outcome}>{text}</span>
      </h1>
      <div class="page-actions">
        <button type="button" class="quiet" onClick={onKeys}>
          Keys
        </button>
        <ThemeButton />
      </div>
    </div>
  )
}

function Facts({ run: { start, summary } }: { run: ReportData['run'] }) {
  const connectors = start.variants.length > 0 ? start.variants : start.connector ? [start.connector] : []
  return (
    <p class="facts">
      <strong>{oneLine(start.agent_id)}</strong>
      {connectors.length > 3 ? (
        <span>{connectors.length} variants</span>
      ) : (
        connectors.map((name) => <span key={name}>{oneLine(name)}</span>)
      )}
      <time dateTime={start.timestamp}>{formatDate(start.timestamp)}</time>
      <span>{shortTime(summary.duration_ms)}</span>
      {start.shard ? (
        <span>
          shard {start.shard.index}/{start.shard.of}
        </span>
      ) : null}
      {start.runs > 1 ? <span>{start.runs} runs each</span> : null}
      <span>viva {oneLine(start.viva_version)}</span>
    </p>
  )
}

/** More would make the page slow; the results file has all of them. */
const mostCarried = 1000

/** What was not run, because its last pass still holds. */
function CarriedOverCases({
  start: { carried_over: carried = [], variants },
}: {
  start: ReportData['run']['start']
}) {
  if (carried.length === 0) return null
  return (
    <details class="carried">
      <summary>{carriedText(carried.length)}</summary>
      <ul>
        {carried.slice(0, mostCarried).map((each) => (
          <li key={each.join('\n')}>
            {oneLine(carriedTitle(each, variants))} <time dateTime={each[3]}>{formatDate(each[3])}</time>
          </li>
        ))}
        {carried.length > mostCarried ? <li>…and {carried.length - mostCarried} more</li> : null}
      </ul>
    </details>
  )
}

function formatDate(timestamp: string): string {
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return oneLine(timestamp)
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
