import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import { CasePanel } from './case-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { linkTo } from './find-case.ts'
import { type ChangeFilters, noFilters } from './hash-state.ts'
import { KeysDialog } from './keys-dialog.tsx'
import { MissingCase } from './missing-case.tsx'
import type { ReportData } from './report-data.ts'
import { ResultTable } from './result-table.tsx'
import { nextSort } from './sort-groups.ts'
import { Summary } from './summary.tsx'
import { useCoveredPage } from './use-covered-page.ts'
import { useHashState } from './use-hash-state.ts'
import { useKeys } from './use-keys.ts'
import { useReturn } from './use-return.ts'
import { useShown } from './use-shown.ts'

export function App({ data, printing }: { data: ReportData; printing: boolean }) {
  const { rows } = data
  const [state, change] = useHashState()
  const { filters, sort, opened } = state
  const { index, figures, search, shown, position, at } = useShown(data, state)
  const [showsKeys, setShowsKeys] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const isCovered = useCoveredPage(opened !== undefined)
  useReturn(opened !== undefined, searchField)

  const open = (next: number) =>
    change((now) => ({ ...now, opened: linkTo(rows, index, next) }), opened ? 'replace' : 'push')
  const close = () => change(({ opened: _, ...rest }) => rest, 'push')
  const filter = useCallback<ChangeFilters>(
    (next, how = 'push') => change((now) => ({ ...now, filters: next(now.filters) }), how),
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

  // Both are rendered again only when their data changes: with many results that is slow.
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
    <div class={pageClass(opened !== undefined, position !== undefined)}>
      <main class="overview" id="results" inert={isCovered}>
        {summary}
        {bar}
        <ResultTable
          data={data}
          shown={shown}
          sort={sort}
          printing={printing && position === undefined}
          openedAt={at}
          {...(position === undefined ? {} : { opened: position })}
          onSort={(field) => change((now) => ({ ...now, sort: nextSort(now.sort, field) }), 'push')}
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

function pageClass(isOpen: boolean, isThere: boolean): string {
  if (!isOpen) return 'page'
  return isThere ? 'page with-case prints-case' : 'page with-case'
}
