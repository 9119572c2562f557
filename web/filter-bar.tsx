import type { RefObject } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { oneLine } from '../src/reporters/printable.ts'
import { failureKind, kindName } from './charts/failure-kinds.tsx'
import { ExportMenu } from './export-menu.tsx'
import { tally } from './figures.ts'
import { isFiltering, type ShownGroup } from './filter-rows.ts'
import { type Filters, noFilters } from './hash-state.ts'
import type { PageRow, ReportData } from './report-data.ts'
import type { Search } from './use-search.ts'

interface FilterBarProps {
  data: ReportData
  shown: readonly ShownGroup[]
  filters: Filters
  search: Search
  field: RefObject<HTMLInputElement | null>
  onFilter: (filters: Filters, how?: 'push' | 'replace') => void
}

type Choice = 'tag' | 'variant' | 'file' | 'kind'

/** Values that can be chosen, with how many rows have them. */
function choicesOf(rows: readonly PageRow[]): Record<Choice, [string, number][]> {
  const counted = rows.filter(({ retrying }) => !retrying)
  return {
    tag: tally(counted.flatMap(({ tags = [] }) => tags)),
    variant: tally(counted.map(({ variant }) => variant)),
    file: tally(counted.map(({ file }) => file)),
    kind: tally(counted.flatMap(failureKind)),
  }
}

export function FilterBar({ data, shown, filters, search, field, onFilter }: FilterBarProps) {
  const choices = useMemo(() => choicesOf(data.rows), [data.rows])
  const total = useMemo(() => data.rows.filter(({ retrying }) => !retrying).length, [data.rows])
  const results = shown.reduce((sum, { matching }) => sum + matching.length, 0)
  const bar = useRef<HTMLElement>(null)
  useHeight(bar)
  const several = (choice: Choice) =>
    choice === 'variant' && data.run.start.variants.length < 2 ? [] : choices[choice]
  return (
    <search ref={bar} class="filters" aria-label="Results">
      <div class="search-field">
        <input
          ref={field}
          type="search"
          placeholder="Search results and conversations"
          aria-label="Search results and conversations"
          aria-keyshortcuts="/"
          spellcheck={false}
          autocomplete="off"
          value={filters.query}
          onInput={({ currentTarget }) => onFilter({ ...filters, query: currentTarget.value }, 'replace')}
        />
        <span class="key" aria-hidden="true">
          /
        </span>
      </div>
      {(['tag', 'variant', 'file', 'kind'] as const).map((choice) =>
        several(choice).length > (choice === 'tag' || choice === 'kind' ? 0 : 1) ||
        filters[choice] !== undefined ? (
          <Chooser
            key={choice}
            choice={choice}
            values={several(choice)}
            filters={filters}
            onFilter={onFilter}
          />
        ) : null,
      )}
      <p class="shown-count">
        <span role="status">
          {results === total
            ? `${total.toLocaleString('en')} ${total === 1 ? 'result' : 'results'}`
            : `${results.toLocaleString('en')} of ${total.toLocaleString('en')}`}
        </span>
        {search.share !== undefined && search.share < 1 ? (
          <span class="searching"> searching… {Math.round(100 * search.share)}%</span>
        ) : null}
      </p>
      {isFiltering(filters) ? (
        <button type="button" class="quiet" onClick={() => onFilter(noFilters)}>
          Clear filters
        </button>
      ) : null}
      <ExportMenu data={data} shown={shown} />
    </search>
  )
}

/** The head of the table sticks below the bar, which may be one line high or more. */
function useHeight(bar: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const { current } = bar
    if (current === null) return
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--bar-height', `${current.offsetHeight}px`),
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [bar])
}

interface ChooserProps {
  choice: Choice
  values: readonly [string, number][]
  filters: Filters
  onFilter: (filters: Filters) => void
}

function Chooser({ choice, values, filters, onFilter }: ChooserProps) {
  const { [choice]: current, ...rest } = filters
  // Values are told apart by their place: they may hold anything.
  const at = values.findIndex(([value]) => value === current)
  const choose = (place: number) => {
    const value = values[place]?.[0]
    onFilter(value === undefined ? rest : { ...rest, [choice]: value })
  }
  return (
    <select
      class={current === undefined ? 'choice' : 'choice chosen'}
      aria-label={choice === 'kind' ? 'Kind of failure' : choice}
      value={String(at)}
      onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
    >
      <option value="-1">
        {current !== undefined && at === -1 ? oneLine(current, 40) : `Any ${choice}`}
      </option>
      {values.map(([value, count], place) => (
        <option key={value} value={String(place)}>
          {`${choice === 'kind' ? kindName(value) : oneLine(value, 60)} (${count.toLocaleString('en')})`}
        </option>
      ))}
    </select>
  )
}
