import type { RefObject } from 'preact'
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { choices } from './choices.ts'
import { Chooser } from './chooser.tsx'
import { ExportMenu } from './export-menu.tsx'
import { isFiltering, type ShownGroup } from './filter-rows.ts'
import { type ChangeFilters, type Filters, noFilters } from './hash-state.ts'
import type { ReportData } from './report-data.ts'
import type { RunFigures } from './run-figures.ts'
import { SearchField } from './search-field.tsx'
import type { Search } from './use-search.ts'

interface FilterBarProps {
  data: ReportData
  figures: RunFigures
  shown: readonly ShownGroup[]
  filters: Filters
  search: Search
  field: RefObject<HTMLInputElement | null>
  onFilter: ChangeFilters
}

export function FilterBar({ data, figures, shown, filters, search, field, onFilter }: FilterBarProps) {
  const { total, offers, variants } = figures
  const results = useMemo(() => shown.reduce((sum, { matching }) => sum + matching.length, 0), [shown])
  const bar = useRef<HTMLElement>(null)
  useHeight(bar)
  const onQuery = useCallback(
    (query: string) => onFilter((rest) => ({ ...rest, query }), 'replace'),
    [onFilter],
  )
  const isOffered = {
    tag: offers.tag.values.length > 0,
    variant: variants.length > 1,
    file: offers.file.values.length > 1,
    kind: offers.kind.values.length > 0,
  }
  return (
    <search ref={bar} class="filters" aria-label="Results">
      <SearchField query={filters.query} field={field} onQuery={onQuery} />
      {choices
        .filter((choice) => isOffered[choice] || filters[choice] !== undefined)
        .map((choice) => (
          <Chooser
            key={choice}
            choice={choice}
            offer={offers[choice]}
            chosen={filters[choice]}
            onFilter={onFilter}
          />
        ))}
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
        <button type="button" class="quiet" onClick={() => onFilter(() => noFilters)}>
          Clear filters
        </button>
      ) : null}
      <ExportMenu data={data} shown={shown} />
    </search>
  )
}

/** The table head sticks below the bar, whose height varies. */
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
