import { useEffect, useMemo } from 'preact/hooks'
import { type CaseIndex, indexCases } from './case-index.ts'
import { filterGroups, type ShownGroup } from './filter-rows.ts'
import { findCase } from './find-case.ts'
import type { HashState } from './hash-state.ts'
import type { ReportData } from './report-data.ts'
import { prepareTexts } from './row-texts.ts'
import { type RunFigures, runFigures } from './run-figures.ts'
import { sortGroups } from './sort-groups.ts'
import { type Search, useSearch } from './use-search.ts'

export interface Shown {
  index: CaseIndex
  figures: RunFigures
  search: Search
  /** What the filters leave, sorted. */
  shown: readonly ShownGroup[]
  /** The row that is open; undefined when none is, or none that is there. */
  position: number | undefined
  /** Which of those that are shown it belongs to; -1 for none. */
  at: number
}

/** What there is to show. Each step is done anew only when what it is made of is another. */
export function useShown(data: ReportData, { filters, sort, opened }: HashState): Shown {
  const { rows } = data
  const index = useMemo(() => indexCases(rows), [rows])
  const figures = useMemo(() => runFigures(data, index.groups), [data, index])
  const sorted = useMemo(() => sortGroups(index.groups, sort), [index, sort])
  const search = useSearch(data, filters.query)
  const shown = useMemo(
    () => filterGroups(rows, sorted, filters, search.found),
    [rows, sorted, filters, search.found],
  )
  const position = useMemo(() => opened && findCase(rows, index, opened), [rows, index, opened])
  const own = position === undefined ? undefined : index.ofRow.get(position)
  const at = useMemo(() => (own ? shown.findIndex(({ group }) => group === own) : -1), [shown, own])
  useEffect(() => {
    const controller = new AbortController()
    void prepareTexts(rows, controller.signal)
    return () => controller.abort()
  }, [rows])
  return { index, figures, search, shown, position, at }
}
