import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { oneLine } from '../src/reporters/printable.ts'
import { CaseActions } from './case-actions.tsx'
import { CaseBody } from './case-body.tsx'
import type { CaseIndex } from './case-index.ts'
import { CaseRelatives } from './case-relatives.tsx'
import { OutcomeMark } from './outcome-mark.tsx'
import type { PageResult, ReportData } from './report-data.ts'

interface CasePanelProps {
  data: ReportData
  index: CaseIndex
  position: number
  /** Its position in the list: `3 of 20`. */
  place: string
  onOpen: (position: number) => void
  onStep: (by: number) => void
  onClose: () => void
}

type Loaded = { position: number; result?: PageResult; trouble?: string }

export function CasePanel({ data, index, position, place, onOpen, onStep, onClose }: CasePanelProps) {
  const panel = useRef<HTMLElement>(null)
  const loaded = useResult(data, position)
  const row = data.rows[position]
  useLayoutEffect(() => {
    panel.current?.scrollTo(0, 0)
    // Keep the focus when someone moves from run to run with the keyboard.
    if (!panel.current?.contains(document.activeElement)) panel.current?.focus({ preventScroll: true })
  }, [position])
  if (row === undefined) return null
  return (
    <aside ref={panel} class="case-panel" tabIndex={-1} aria-labelledby="case-title">
      <header class="case-head">
        <div class="case-nav">
          <button
            type="button"
            class="quiet"
            aria-label="Previous result"
            aria-keyshortcuts="k"
            onClick={() => onStep(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="quiet"
            aria-label="Next result"
            aria-keyshortcuts="j"
            onClick={() => onStep(1)}
          >
            ↓
          </button>
          <span class="place">{place}</span>
          <button type="button" class="quiet close" aria-keyshortcuts="Escape" onClick={onClose}>
            Close
          </button>
        </div>
        <h2 id="case-title">
          <OutcomeMark outcome={row.outcome} /> <span class="case-id">{oneLine(row.id, 200)}</span>{' '}
          {row.name === undefined ? null : <span class="case-name">{oneLine(row.name, 200)}</span>}{' '}
          {row.origin === undefined ? null : <span class="chip origin">{row.origin}</span>}
        </h2>
        <CaseRelatives rows={data.rows} index={index} position={position} onOpen={onOpen} />
      </header>
      {loaded.trouble !== undefined ? (
        <p role="alert">This result cannot be read: {loaded.trouble}</p>
      ) : loaded.result === undefined ? (
        <p class="loading">{row.reason ?? 'Opening…'}</p>
      ) : (
        <>
          <CaseBody key={position} result={loaded.result} row={row} command={data.run.start.command} />
          <CaseActions result={loaded.result} command={data.run.start.command} />
        </>
      )}
    </aside>
  )
}

function useResult(data: ReportData, position: number): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ position })
  useEffect(() => {
    let isWanted = true
    data.load(position).then(
      (result) => isWanted && setLoaded({ position, result }),
      (error) =>
        isWanted && setLoaded({ position, trouble: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isWanted = false
    }
  }, [data, position])
  return loaded.position === position ? loaded : { position }
}
