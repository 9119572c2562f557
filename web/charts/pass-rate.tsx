import { oneLine } from '../../src/reporters/printable.ts'
import { percent } from '../figures.ts'
import type { Filters } from '../hash-state.ts'
import { countsOf, outcomeNames, outcomes } from '../outcomes.ts'
import type { PageRow, ReportData } from '../report-data.ts'
import { Bar } from './bar.tsx'
import { Chart } from './chart.tsx'

interface PassRateProps {
  data: ReportData
  filters: Filters
  onFilter: (filters: Filters) => void
}

/** Of those that say something about the agent, how many passed; by variant where there are several. */
export function PassRate({ data, filters, onFilter }: PassRateProps) {
  const { rows, run } = data
  const { text, parts } = rateOf(rows)
  const variants = run.start.variants.length > 1 ? run.start.variants : []
  return (
    <Chart title="Pass rate" note={text}>
      <Bar parts={parts} whole={wholeOf(parts)} />
      <p class="visually-hidden">{described(parts)}</p>
      {variants.length === 0 ? (
        <p class="legend">
          {parts
            .filter(({ count }) => count > 0)
            .map(({ name, count }) => (
              <span key={name} class={name}>
                {outcomeNames[name]} {percent(count, wholeOf(parts))}
              </span>
            ))}
        </p>
      ) : (
        <ul class="bars">
          {variants.map((variant) => {
            const own = rateOf(rows.filter((row) => row.variant === variant))
            return (
              <li key={variant}>
                <button
                  type="button"
                  aria-pressed={filters.variant === variant}
                  onClick={() => onFilter(withVariant(filters, variant))}
                >
                  <span class="bar-name">{oneLine(variant)}</span>
                  <span class="bar-count">{own.text}</span>
                  <Bar parts={own.parts} whole={wholeOf(own.parts)} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </Chart>
  )
}

function withVariant({ variant: current, ...rest }: Filters, variant: string): Filters {
  return current === variant ? rest : { ...rest, variant }
}

function rateOf(rows: readonly PageRow[]) {
  const counts = countsOf(rows)
  const parts = [...outcomes].reverse().map((name) => ({ name, count: counts[name] }))
  const judged = counts.passed + counts.failed
  return { text: percent(counts.passed, judged), parts }
}

function wholeOf(parts: readonly { count: number }[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

function described(parts: ReturnType<typeof rateOf>['parts']): string {
  return parts
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${outcomeNames[name]}`)
    .join(', ')
}
