import { shortTime } from '../../src/text/duration.ts'
import type { Bin, Durations } from '../figures.ts'
import { Chart } from './chart.tsx'

const height = 48
const step = 10

/** The durations of results. The steps grow, so that a few slow results do not hide the rest. */
export function DurationChart({ durations }: { durations: Durations | undefined }) {
  if (durations === undefined) return null
  const { half, most, slowest, bins } = durations
  const text = `half took up to ${shortTime(half)}, 95% up to ${shortTime(most)}, the slowest ${shortTime(slowest)}`
  return (
    <Chart title="Duration" note={`p50 ${shortTime(half)} · p95 ${shortTime(most)}`}>
      <svg
        class="histogram"
        viewBox={`0 0 ${bins.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Durations: ${text}`}
      >
        <Bars bins={bins} />
        <Line bins={bins} at={half} />
        <Line bins={bins} at={most} />
      </svg>
      <p class="axis" aria-hidden="true">
        <span>{shortTime(bins[0]?.from ?? 0)}</span>
        <span>{shortTime(slowest)}</span>
      </p>
    </Chart>
  )
}

function Bars({ bins }: { bins: readonly Bin[] }) {
  const highest = Math.max(...bins.map(({ count }) => count))
  return (
    <>
      {bins.map(({ from, to, count }, index) => {
        const tall = count === 0 ? 0 : Math.max(1.5, (height * count) / highest)
        return (
          <rect
            key={from}
            class="bar-part plain"
            x={index * step + 1}
            y={height - tall}
            width={step - 2}
            height={tall}
          >
            <title>{`${count} from ${shortTime(from)} to ${shortTime(to)}`}</title>
          </rect>
        )
      })}
    </>
  )
}

function Line({ bins, at }: { bins: readonly Bin[]; at: number }) {
  const index = bins.findIndex(({ to }) => at <= to)
  const bin = bins[index]
  if (bin === undefined || bins.length === 1) return null
  const x = (index + (at - bin.from) / (bin.to - bin.from)) * step
  return <line class="percentile" x1={x} x2={x} y1="0" y2={height} />
}
