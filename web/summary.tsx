import { shortTime } from '../src/duration.ts'
import { oneLine, printable } from '../src/reporters/printable.ts'
import { CostChart } from './charts/cost.tsx'
import { DurationChart } from './charts/durations.tsx'
import { FailureKinds } from './charts/failure-kinds.tsx'
import { PassRate } from './charts/pass-rate.tsx'
import { StabilityChart } from './charts/stability.tsx'
import { CopyButton } from './copy-button.tsx'
import type { Group } from './group-rows.ts'
import type { Filters } from './hash-state.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import { countsOf, type Status, statuses, statusName } from './outcomes.ts'
import { verdictOf } from './page-title.ts'
import type { ReportData } from './report-data.ts'
import { ThemeButton } from './theme.tsx'

interface SummaryProps {
  data: ReportData
  groups: readonly Group[]
  filters: Filters
  onFilter: (filters: Filters) => void
  onKeys: () => void
}

export function Summary({ data, groups, filters, onFilter, onKeys }: SummaryProps) {
  const { start, summary } = data.run
  const verdict = verdictOf(data)
  const connectors = start.variants.length > 0 ? start.variants : start.connector ? [start.connector] : []
  return (
    <header class="summary">
      <div class="masthead">
        <h1>
          <OutcomeMark outcome={verdict.outcome} silent />
          <span class={verdict.outcome}>{verdict.text}</span>
        </h1>
        <div class="page-actions">
          <button type="button" class="quiet" onClick={onKeys}>
            Keys
          </button>
          <ThemeButton />
        </div>
      </div>
      <p class="facts">
        <strong>{oneLine(start.agent_id)}</strong>
        {connectors.length > 3 ? (
          <span>{connectors.length} variants</span>
        ) : (
          connectors.map((name) => <span key={name}>{oneLine(name)}</span>)
        )}
        <time dateTime={start.timestamp}>{dateOf(start.timestamp)}</time>
        <span>{shortTime(summary.duration_ms)}</span>
        {start.runs > 1 ? <span>{start.runs} runs each</span> : null}
        <span>viva {oneLine(start.viva_version)}</span>
      </p>
      {start.command ? (
        <div class="command">
          <code>{printable(start.command)}</code>
          <CopyButton text={start.command} label="Copy" of="the command" />
        </div>
      ) : null}
      <StatusButtons data={data} filters={filters} onFilter={onFilter} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard */}
      <section class="charts" tabIndex={0} aria-label="Figures">
        <PassRate data={data} filters={filters} onFilter={onFilter} />
        <FailureKinds rows={data.rows} filters={filters} onFilter={onFilter} />
        <StabilityChart rows={data.rows} groups={groups} />
        <DurationChart rows={data.rows} />
        <CostChart summary={summary} />
      </section>
    </header>
  )
}

function StatusButtons({ data, filters, onFilter }: Pick<SummaryProps, 'data' | 'filters' | 'onFilter'>) {
  const counts = countsOf(data.rows)
  const toggle = (status: Status) =>
    onFilter({
      ...filters,
      status: filters.status.includes(status)
        ? filters.status.filter((other) => other !== status)
        : statuses.filter((other) => other === status || filters.status.includes(other)),
    })
  const offered = statuses.filter(
    (status) => counts[status] > 0 || status === 'passed' || status === 'failed',
  )
  return (
    <fieldset class="statuses">
      <legend class="visually-hidden">Show only</legend>
      {offered.map((status) => (
        <button
          key={status}
          type="button"
          class={`status ${status}`}
          aria-pressed={filters.status.includes(status)}
          disabled={counts[status] === 0}
          onClick={() => toggle(status)}
        >
          {status === 'flaky' || status === 'unchecked' ? null : <OutcomeMark outcome={status} silent />}
          <b>{counts[status].toLocaleString('en')}</b> {statusName(status)}
        </button>
      ))}
    </fieldset>
  )
}

function dateOf(timestamp: string): string {
  const date = new Date(timestamp)
  if (Number.isNaN(date.getTime())) return oneLine(timestamp)
  return date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}
