import { oneLine } from '../../src/reporters/printable.ts'
import type { ChangeFilters } from '../hash-state.ts'
import { Bar } from './bar.tsx'
import { Chart } from './chart.tsx'

const mostShown = 6

interface FailureKindsProps {
  kinds: readonly [string, number][]
  chosen: string | undefined
  onFilter: ChangeFilters
}

export function FailureKinds({ kinds, chosen, onFilter }: FailureKindsProps) {
  if (kinds.length === 0) return null
  const most = kinds[0]?.[1] ?? 0
  const toggle = (kind: string) =>
    onFilter(({ kind: current, ...rest }) => (current === kind ? rest : { ...rest, kind }))
  return (
    <Chart title="Kinds of failure">
      <ul class="bars">
        {kinds.slice(0, mostShown).map(([kind, count]) => (
          <li key={kind}>
            <button type="button" aria-pressed={chosen === kind} onClick={() => toggle(kind)}>
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

export function kindName(kind: string): string {
  return oneLine(kind.replaceAll('_', ' '))
}
