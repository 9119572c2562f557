import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { oneLine } from '../src/reporters/printable.ts'
import { CasePanel } from './case-panel.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterGroups } from './filter-rows.ts'
import { findCase, linkTo } from './find-case.ts'
import { groupRows } from './group-rows.ts'
import { type Filters, type HashState, noFilters } from './hash-state.ts'
import { KeysDialog } from './keys-dialog.tsx'
import type { ReportData } from './report-data.ts'
import { ResultTable } from './result-table.tsx'
import { nextSort, sortGroups } from './sort-groups.ts'
import { Summary } from './summary.tsx'
import { useHashState } from './use-hash-state.ts'
import { useKeys } from './use-keys.ts'
import { useSearch } from './use-search.ts'

export function App({ data, printing }: { data: ReportData; printing: boolean }) {
  const { rows } = data
  const [{ filters, sort, opened }, show] = useHashState()
  const [showsKeys, setShowsKeys] = useState(false)
  const searchField = useRef<HTMLInputElement>(null)
  const groups = useMemo(() => groupRows(rows), [rows])
  const sorted = useMemo(() => sortGroups(groups, sort), [groups, sort])
  const search = useSearch(data, filters.query)
  const shown = useMemo(
    () => filterGroups(rows, sorted, filters, search.found),
    [rows, sorted, filters, search.found],
  )
  const position = useMemo(
    () => (opened ? findCase(rows, groups, opened) : undefined),
    [rows, groups, opened],
  )
  const at = shown.findIndex(
    ({ group }) => position !== undefined && [...group.runs, ...group.earlier].includes(position),
  )

  const state: HashState = { filters, sort, ...(opened ? { opened } : {}) }
  const open = (next: number) =>
    show({ ...state, opened: linkTo(rows, groups, next) }, opened ? 'replace' : 'push')
  const close = () => {
    if (!opened) return
    show({ filters, sort }, 'push')
    const from = document.querySelector<HTMLElement>('tr.opened .open-case')
    ;(from ?? searchField.current)?.focus({ preventScroll: true })
  }
  const filter = (next: Filters, how: 'push' | 'replace' = 'push') => show({ ...state, filters: next }, how)
  const step = (by: number) => {
    const next = shown[at === -1 ? (by > 0 ? 0 : shown.length - 1) : at + by]
    const worst = next?.matching.find((run) => rows[run]?.outcome === next.group.worst)
    const target = worst ?? next?.matching[0]
    if (target !== undefined) open(target)
  }
  useKeys({
    Escape: close,
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    '/': () => searchField.current?.focus(),
    '?': () => setShowsKeys(true),
  })
  // The page behind a case that covers it does not scroll.
  useEffect(() => {
    document.documentElement.classList.toggle('case-is-open', opened !== undefined)
  }, [opened])

  return (
    <div class={opened ? 'page with-case' : 'page'}>
      <main class="overview" id="results">
        <Summary
          data={data}
          groups={groups}
          filters={filters}
          onFilter={filter}
          onKeys={() => setShowsKeys(true)}
        />
        <FilterBar
          data={data}
          shown={shown}
          filters={filters}
          search={search}
          field={searchField}
          onFilter={filter}
        />
        <ResultTable
          data={data}
          shown={shown}
          sort={sort}
          printing={printing}
          {...(position === undefined ? {} : { opened: position })}
          onSort={(field) => show({ ...state, sort: nextSort(sort, field) }, 'push')}
          onOpen={open}
          onClear={() => filter(noFilters)}
        />
      </main>
      {opened && position === undefined ? (
        <aside class="case-panel" aria-label="Case">
          <div class="not-there" role="alert">
            <h2>There is no such case here</h2>
            <p>
              This link names the case <code>{oneLine(opened.id)}</code>
              {opened.run ? `, run ${opened.run}` : ''}, which is not in this report.
            </p>
            <button type="button" onClick={close}>
              Show all results
            </button>
          </div>
        </aside>
      ) : null}
      {position === undefined ? null : (
        <CasePanel
          data={data}
          groups={groups}
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
