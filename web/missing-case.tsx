import { oneLine } from '../src/reporters/printable.ts'
import type { CaseLink } from './hash-state.ts'

/** Where a link names a case that is not there. */
export function MissingCase({ link: { id, run }, onClose }: { link: CaseLink; onClose: () => void }) {
  return (
    <aside class="case-panel" aria-label="Case">
      <div class="not-there" role="alert">
        <h2>There is no such case here</h2>
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
