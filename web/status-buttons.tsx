import type { ChangeFilters } from './hash-state.ts'
import { OutcomeMark } from './outcome-mark.tsx'
import { type Status, statuses, statusName } from './outcomes.ts'

interface StatusButtonsProps {
  counts: Record<Status, number>
  chosen: readonly Status[]
  onFilter: ChangeFilters
}

export function StatusButtons({ counts, chosen, onFilter }: StatusButtonsProps) {
  const toggle = (wanted: Status) =>
    onFilter(({ status, ...rest }) => ({
      ...rest,
      status: status.includes(wanted)
        ? status.filter((other) => other !== wanted)
        : statuses.filter((other) => other === wanted || status.includes(other)),
    }))
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
          aria-pressed={chosen.includes(status)}
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
