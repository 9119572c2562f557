import { Bar } from './bar.tsx'
import { Chart } from './chart.tsx'

const meanings = new Map([
  ['stable', 'all runs passed'],
  ['mostly stable', '80% or more'],
  ['unstable', '50% or more'],
  ['highly unstable', 'less than half'],
  ['fails every time', 'no run passed'],
])

/** How many cases are how stable; nothing when each has one run. */
export function StabilityChart({ counts }: { counts: ReadonlyMap<string, number> }) {
  const whole = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (whole === 0) return null
  return (
    <Chart title="Stability" note={`${whole.toLocaleString('en')} cases`}>
      <ul class="bars">
        {[...counts].map(([stability, count]) => (
          <li key={stability} title={`${stability}: ${meanings.get(stability)}`}>
            <span class="bar-name">
              {stability} <small>{meanings.get(stability)}</small>
            </span>
            <span class="bar-count">{count.toLocaleString('en')}</span>
            <Bar parts={[{ name: stability.replaceAll(' ', '-'), count }]} whole={whole} />
          </li>
        ))}
      </ul>
    </Chart>
  )
}
