import { recordedCostText } from '../../src/reporters/cost-text.ts'
import { oneLine } from '../../src/reporters/printable.ts'
import type { SummaryLine } from '../../src/results/run-line-schema.ts'
import { formatDollars } from '../../src/text/dollars.ts'
import { Bar } from './bar.tsx'
import { Chart } from './chart.tsx'

type UsageLine = NonNullable<NonNullable<SummaryLine['usage']>['agent']>

/** The cost of calls by role. An unknown cost is not shown as zero. */
export function CostChart({ summary }: { summary: SummaryLine }) {
  const usages = Object.entries(summary.usage ?? {}).filter(([, usage]) => usage.calls > 0)
  if (usages.length === 0) return null
  const known = usages.reduce((sum, [, { cost = 0 }]) => sum + cost, 0)
  const isWhole = summary.cost !== undefined
  return (
    <Chart
      title="Cost"
      note={
        isWhole
          ? recordedCostText(summary.cost, summary.replayed_cost)
          : known > 0
            ? `${formatDollars(known)} and more`
            : 'unknown'
      }
    >
      <ul class="bars">
        {usages.map(([role, usage]) => {
          const { cost, input_tokens, output_tokens, unpriced_calls } = usage
          const tokens = (input_tokens ?? 0) + (output_tokens ?? 0)
          return (
            <li key={role}>
              <span class="bar-name">
                {oneLine(role)}{' '}
                <small>
                  {callsText(usage)}
                  {tokens > 0 ? `, ${shortCount(tokens)} tokens` : ''}
                  {unpriced_calls ? `, ${unpriced_calls.toLocaleString('en')} of unknown cost` : ''}
                </small>
              </span>
              <span class="bar-count">
                {cost !== undefined ? formatDollars(cost) : isWhole ? '–' : 'unknown'}
              </span>
              <Bar parts={[{ name: 'plain', count: cost ?? 0 }]} whole={known} />
            </li>
          )
        })}
      </ul>
    </Chart>
  )
}

/** `3 calls`, `3 recorded calls`, or `3 calls (2 recorded)`: recorded calls were not paid again. */
function callsText({ calls, replayed_calls: recorded = 0 }: UsageLine): string {
  const noun = calls === 1 ? 'call' : 'calls'
  const count = calls.toLocaleString('en')
  if (recorded === 0) return `${count} ${noun}`
  return recorded === calls
    ? `${count} recorded ${noun}`
    : `${count} ${noun} (${recorded.toLocaleString('en')} recorded)`
}

/** `950`, `12.3k`, `4.1M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  return count < 1e6 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`
}
