import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { indexCases } from './case-index.ts'
import { CasePanel } from './case-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterGroups } from './filter-rows.ts'
import { findCase, linkTo } from './find-case.ts'
import { type ChangeFilters, noFilters } from './hash-state.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { MissingCase } from './missing-case.tsx'
import type { ReportData } from './report-data.ts'
import { ResultTable } from './result-table.tsx'
import { prepareTexts } from './row-texts.ts'
import { runFigures } from './run-figures.ts'
import { nextSort, sortGroups } from './sort-groups.ts'
import { Summary } from './summary.tsx'
import { useHashState } from './use-hash-state.ts'
import { useKeys } from './use-keys.ts'
import { useMedia } from './use-media.ts'
import { useReturn } from './use-return.ts'
import { useSearch } from './use-search.ts'

/** Where a case covers the page, see `page.css`. */
const smallScreen = '(max-width: 899px)'

export function App({ data, printing }: { data: ReportData; printing: boolean }) {
  const { rows } = data
  const [{ filters, sort, opened }, change] = useHashState()
  const [showsKeys, setShowsKeys] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const isSmall = useMedia(smallScreen)
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

  const open = (next: number) =>
    change((state) => ({ ...state, opened: linkTo(rows, index, next) }), opened ? 'replace' : 'push')
  const close = useCallback(() => change(({ opened: _, ...rest }) => rest, 'push'), [change])
  const filter = useCallback<ChangeFilters>(
    (next, how = 'push') => change((state) => ({ ...state, filters: next(state.filters) }), how),
    [change],
  )
  const step = (by: number) => {
    const next = shown[at === -1 ? (by > 0 ? 0 : shown.length - 1) : at + by]
    const worst = next?.matching.find((run) => rows[run]?.outcome === next.group.worst)
    const target = worst ?? next?.matching[0]
    if (target !== undefined) open(target)
  }
  useKeys({
    Escape: () => opened && close(),
    j: () => step(1),
    k: () => step(-1),
    '/': () => searchField.current?.focus(),
    '?': () => setShowsKeys(true),
  })
  useEffect(() => {
    const controller = new AbortController()
    void prepareTexts(rows, controller.signal)
    return () => controller.abort()
  }, [rows])
  // The page behind a case that covers it does not scroll.
  useEffect(() => {
    document.documentElement.classList.toggle('case-is-open', opened !== undefined)
  }, [opened])
  useReturn(opened !== undefined, searchField)

  // Drawn again only when something in them is another: with many results that is what costs.
  const summary = useMemo(
    () => (
      <Summary
        data={data}
        figures={figures}
        status={filters.status}
        kind={filters.kind}
        variant={filters.variant}
        onFilter={filter}
        onKeys={() => setShowsKeys(true)}
      />
    ),
    [data, figures, filters.status, filters.kind, filters.variant, filter],
  )
  const bar = useMemo(
    () => (
      <FilterBar
        data={data}
        figures={figures}
        shown={shown}
        filters={filters}
        search={search}
        field={searchField}
        onFilter={filter}
      />
    ),
    [data, figures, shown, filters, search, filter],
  )
  return (
    <div class={pageClass(opened !== undefined, own !== undefined)}>
      <main class="overview" id="results" inert={isSmall && opened !== undefined}>
        {summary}
        {bar}
        <ResultTable
          data={data}
          shown={shown}
          sort={sort}
          printing={printing && own === undefined}
          openedAt={at}
          {...(position === undefined ? {} : { opened: position })}
          onSort={(field) => change((state) => ({ ...state, sort: nextSort(state.sort, field) }), 'push')}
          onOpen={open}
          onClear={() => filter(() => noFilters)}
        />
      </main>
      {opened && position === undefined ? <MissingCase link={opened} onClose={close} /> : null}
      {position === undefined ? null : (
        <CasePanel
          data={data}
          index={index}
          position={position}
          place={at === -1 ? '' : `${(at + 1).toLocaleString('en')} of ${shown.length.toLocaleString('en')}`}
          onOpen={open}
          onStep={step}
          onClose={close}
        />
      )}
      {showsKeys ? <KeysDialog onClose={() => setShowsKeys(false)} /> : null}
    </div>
  )
}

function pageClass(isOpen: boolean, hasCase: boolean): string {
  if (!isOpen) return 'page'
  return hasCase ? 'page with-case prints-case' : 'page with-case'
}
