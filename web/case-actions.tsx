import { hasCutStrings } from '../src/reporters/cut-strings.ts'
import { caseOf } from '../src/results/case-of.ts'
import { runAgain } from '../src/run-again.ts'
import { CopyButton } from './copy-button.tsx'
import { Fold } from './fold.tsx'
import { JsonView } from './json-view.tsx'
import type { PageResult } from './report-data.ts'

export function CaseActions({ result, command }: { result: PageResult; command: string | undefined }) {
  const again = command === undefined ? undefined : runAgain(command, [result.id])
  const written = caseOf(result)
  return (
    <footer class="case-actions">
      <div class="copies">
        <CopyButton text={() => location.href} label="Copy link" />
        {again === undefined ? null : <CopyButton text={again} label="Copy command to run it again" />}
        {written === undefined || hasCutStrings(written) ? null : (
          <CopyButton text={`${JSON.stringify(written)}\n`} label="Copy as a case" />
        )}
        <CopyButton text={() => JSON.stringify(result, undefined, 2)} label="Copy JSON" />
      </div>
      <Fold title="Raw result">{() => <JsonView value={result} />}</Fold>
    </footer>
  )
}
