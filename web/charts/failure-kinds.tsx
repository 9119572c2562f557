import { oneLine } from '../../src/reporters/printable.ts'
import { tally } from '../figures.ts'
import type { Filters } from '../hash-state.ts'
import type { PageRow } from '../report-data.ts'
import { Bar } from './bar.tsx'
import { Chart } from './chart.tsx'

const mostShown = 6

interface FailureKindsProps {
  rows: readonly PageRow[]
  filters: Filters
  onFilter: (filters: Filters) => void
}

export function FailureKinds({ rows, filters, onFilter }: FailureKindsProps) {
  const kinds = tally(rows.flatMap(failureKind))
  if (kinds.length === 0) return null
  const most = kinds[0]?.[1] ?? 0
  const toggle = ({ kind: current, ...rest }: Filters, kind: string) =>
    onFilter(current === kind ? rest : { ...rest, kind })
  return (
    <Chart title="Kinds of failure">
      <ul class="bars">
        {kinds.slice(0, mostShown).map(([kind, count]) => (
          <li key={kind}>
            <button type="button" aria-pressed={filters.kind === kind} onClick={() => toggle(filters, kind)}>
              <span class="bar-name">{kindName(kind)}</span>
              <span class="bar-count">{count.toLocaleString('en')}</span>
              <Bar parts={[{ name: 'plain', count }]} whole={most} />
            </button>
          </li>
        ))}
      </ul>
      {kinds.length > mostShown ? <p class="legend">and {kinds.length - mostShown} more kinds</p> : null}
    </Chart>
  )
}

/** What was skipped has a reason, but did not fail. */
export function failureKind({ kind, outcome, retrying }: PageRow): string[] {
  return kind === undefined || retrying || outcome === 'skipped' ? [] : [kind]
}

export function kindName(kind: string): string {
  return oneLine(kind.replaceAll('_', ' '))
}
