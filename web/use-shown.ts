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
  /** The groups that match the filters, sorted. */
  shown: readonly ShownGroup[]
  /** The open row; undefined when none is open or it does not exist. */
  position: number | undefined
  /** The index of its group in `shown`; -1 for none. */
  at: number
}

/** What the page shows. Each step is repeated only when its input changes. */
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
