import { oneLine } from '../src/reporters/printable.ts'
import { kindName } from './charts/failure-kinds.tsx'
import type { Choice, Offer } from './choices.ts'
import type { ChangeFilters } from './hash-state.ts'

interface ChooserProps {
  choice: Choice
  offer: Offer
  chosen: string | undefined
  onFilter: ChangeFilters
}

export function Chooser({ choice, offer: { values, others }, chosen, onFilter }: ChooserProps) {
  // Values are identified by their index, because they may contain anything.
  const at = values.findIndex(([value]) => value === chosen)
  const isOther = chosen !== undefined && at === -1
  const choose = (place: number) => {
    const value = place === values.length ? chosen : values[place]?.[0]
    onFilter(({ [choice]: _, ...rest }) => (value === undefined ? rest : { ...rest, [choice]: value }))
  }
  const nameOf = (value: string) => (choice === 'kind' ? kindName(value) : oneLine(value, 60))
  return (
    <select
      class={chosen === undefined ? 'choice' : 'choice chosen'}
      aria-label={choice === 'kind' ? 'Kind of failure' : choice}
      value={String(isOther ? values.length : at)}
      onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
    >
      <option value="-1">{`Any ${choice}`}</option>
      {values.map(([value, count], place) => (
        <option key={value} value={String(place)}>
          {`${nameOf(value)} (${count.toLocaleString('en')})`}
        </option>
      ))}
      {isOther ? <option value={String(values.length)}>{nameOf(chosen)}</option> : null}
      {others > 0 ? <option disabled>{`and ${others.toLocaleString('en')} more`}</option> : null}
    </select>
  )
}
