import { oneLine } from '../../src/reporters/printable.ts'
import { percentText } from '../figures.ts'
import type { ChangeFilters } from '../hash-state.ts'
import { outcomeNames } from '../outcomes.ts'
import type { PassRate, VariantRate } from '../pass-rates.ts'
import { Bar } from './bar.tsx'
import { Chart } from './chart.tsx'

interface PassRateProps {
  rate: PassRate
  variants: readonly VariantRate[]
  chosen: string | undefined
  onFilter: ChangeFilters
}

/** The pass rate, by variant if there are several. */
export function PassRateChart({ rate, variants, chosen, onFilter }: PassRateProps) {
  const { text, isCount, parts, whole } = rate
  const there = parts.filter(({ count }) => count > 0)
  return (
    <Chart title={isCount ? 'Passed' : 'Pass rate'} note={text}>
      <Bar parts={parts} whole={whole} />
      <p class="visually-hidden">
        {there.map(({ name, count }) => `${count} ${outcomeNames[name]}`).join(', ')}
      </p>
      {variants.length === 0 ? (
        <p class="legend">
          {there.map(({ name, count }) => (
            <span key={name} class={name}>
              {outcomeNames[name]} {isCount ? count.toLocaleString('en') : percentText(count, whole)}
            </span>
          ))}
        </p>
      ) : (
        <VariantRates variants={variants} chosen={chosen} onFilter={onFilter} />
      )}
    </Chart>
  )
}

function VariantRates({ variants, chosen, onFilter }: Omit<PassRateProps, 'rate'>) {
  const toggle = (variant: string) =>
    onFilter(({ variant: current, ...rest }) => (current === variant ? rest : { ...rest, variant }))
  return (
    <ul class="bars">
      {variants.map(({ variant, text, parts, whole }) => (
        <li key={variant}>
          <button type="button" aria-pressed={chosen === variant} onClick={() => toggle(variant)}>
            <span class="bar-name">{oneLine(variant)}</span>
            <span class="bar-count">{text}</span>
            <Bar parts={parts} whole={whole} />
          </button>
        </li>
      ))}
    </ul>
  )
}
