import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ShownGroup } from './filter-rows.ts'
import type { ReportData } from './report-data.ts'
import { ResultRow } from './result-row.tsx'
import type { Sort } from './sort-groups.ts'
import { useNarrow } from './use-narrow.ts'
import { useWindowRows } from './use-window-rows.ts'

/** In pixels; `page.css` uses it as `--row-height`. */
const rowHeight = 48
const narrowRowHeight = 84
const narrowWidth = 720
/** More would be too much on paper. */
const mostPrinted = 400

interface ResultTableProps {
  data: ReportData
  shown: readonly ShownGroup[]
  sort: Sort
  printing: boolean
  /** The index of the open row; -1 when none is open. */
  openedAt: number
  opened?: number
  onSort: (field: string) => void
  onOpen: (position: number) => void
  onClear: () => void
}

export function ResultTable({
  data,
  shown,
  sort,
  printing,
  openedAt,
  opened,
  onSort,
  onOpen,
  onClear,
}: ResultTableProps) {
  const frame = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const narrow = useNarrow(frame, narrowWidth)
  const height = narrow ? narrowRowHeight : rowHeight
  const inSight = useWindowRows(body, shown.length, height)
  const { first, last } = printing ? { first: 0, last: Math.min(shown.length, mostPrinted) } : inSight
  const variants = new Set(data.run.start.variants).size > 1
  const columns = narrow ? 2 : variants ? 6 : 5
  useShownRow(body, openedAt, height)
  const perRun = data.run.start.runs > 1 ? { title: 'per run, on average' } : {}
  const column = (field: string, label: string, className: string, note: { title?: string } = {}) => (
    <Column field={field} label={label} className={className} sort={sort} onSort={onSort} {...note} />
  )
  return (
    <div ref={frame} class={narrow ? 'results narrow' : 'results'} style={{ '--row-height': `${height}px` }}>
      <table
        aria-rowcount={shown.length + 1}
        aria-label={sort === 'status' ? 'Results, failures first' : 'Results'}
      >
        <colgroup>
          <col class="of-outcome" />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col" class="of-outcome">
              <span class="visually-hidden">Outcome</span>
            </th>
            {column('id', 'Case', 'of-case')}
            {variants ? (
              <th scope="col" class="of-variant">
                Variant
              </th>
            ) : null}
            {column('turns', 'Turns', 'of-turns figure', perRun)}
            {column('duration', 'Time', 'of-duration figure', perRun)}
            {column('cost', 'Cost', 'of-cost figure', perRun)}
          </tr>
        </thead>
        <tbody ref={body}>
          <Space height={printing ? 0 : first * height} columns={columns} />
          {shown.slice(first, last).map((each, offset) => (
            <ResultRow
              key={each.group.runs[0]}
              rows={data.rows}
              shown={each}
              index={first + offset + 2}
              variants={variants}
              {...(first + offset === openedAt && opened !== undefined ? { opened } : {})}
              onOpen={onOpen}
            />
          ))}
          <Space height={printing ? 0 : (shown.length - last) * height} columns={columns} />
        </tbody>
      </table>
      {printing && shown.length > mostPrinted ? <p>and {shown.length - mostPrinted} more</p> : null}
      {shown.length === 0 ? (
        <div class="nothing-shown">
          {data.rows.length === 0 ? (
            <p>This run has no results.</p>
          ) : (
            <p>
              No results match the filters.{' '}
              <button type="button" onClick={onClear}>
                Clear filters
              </button>
            </p>
          )}
        </div>
      ) : null}
    </div>
  )
}

/** A placeholder for the rows that are out of view. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it is a gap, not a row of the table
    <tr role="presentation" class="space">
      <td colSpan={columns} style={{ height: `${height}px` }} />
    </tr>
  )
}

interface ColumnProps {
  field: string
  label: string
  className: string
  title?: string
  sort: Sort
  onSort: (field: string) => void
}

function Column({ field, label, className, title, sort, onSort }: ColumnProps) {
  const order = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
  return (
    <th scope="col" class={className} {...(order ? { 'aria-sort': order } : {})}>
      <button type="button" class="sorts" title={title} onClick={() => onSort(field)}>
        {label}
        <span aria-hidden="true">{order === 'ascending' ? ' ↑' : order === 'descending' ? ' ↓' : ''}</span>
      </button>
    </th>
  )
}

/** Keeps the open row in view, below the sticky bars. */
function useShownRow(body: { current: HTMLElement | null }, at: number, height: number) {
  useLayoutEffect(() => {
    if (at < 0 || body.current === null) return
    const top = body.current.getBoundingClientRect().top + at * height
    const sticky = 24 + (document.querySelector('.filters')?.clientHeight ?? 0) + 28
    if (top < sticky) scrollBy(0, top - sticky)
    else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight + height)
  }, [body, at, height])
}
