import { oneLine } from '../src/reporters/printable.ts'
import type { CaseLink } from './hash-state.ts'

/** Shown when a link names a case that is not in the report. */
export function MissingCase({ link: { id, run }, onClose }: { link: CaseLink; onClose: () => void }) {
  return (
    <aside class="case-panel" aria-label="Case">
      <div class="not-there" role="alert">
        <h2>Case not found</h2>
        <p>
          This link names the case <code>{oneLine(id)}</code>
          {run ? `, run ${run}` : ''}, which is not in this report.
        </p>
        <button type="button" onClick={onClose}>
          Show all results
        </button>
      </div>
    </aside>
  )
}
