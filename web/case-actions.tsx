import { createRerunCommand } from '../src/text/run-again.ts'
import { copiedCase } from './copied-case.ts'
import { CopyButton } from './copy-button.tsx'
import { Fold } from './fold.tsx'
import { JsonView } from './json-view.tsx'
import type { PageResult } from './report-data.ts'

export function CaseActions({ result, command }: { result: PageResult; command: string | undefined }) {
  const again = command === undefined ? undefined : createRerunCommand(command, [result.id])
  return (
    <footer class="case-actions">
      <div class="copies">
        <CopyButton text={() => location.href} label="Copy link" />
        {again === undefined ? null : <CopyButton text={again} label="Copy command to run it again" />}
        <CopyCase result={result} />
        <CopyButton text={() => JSON.stringify(result, undefined, 2)} label="Copy JSON" />
      </div>
      <Fold title="Raw result">{() => <JsonView value={result} />}</Fold>
    </footer>
  )
}

function CopyCase({ result }: { result: PageResult }) {
  const copied = copiedCase(result)
  const label = 'Copy as a case'
  if (copied === undefined) return null
  if ('text' in copied) return <CopyButton text={copied.text} label={label} />
  // Not `disabled`, so that keyboard users can focus it and learn why.
  return (
    <button type="button" class="quiet copy" aria-disabled="true" title={`Incomplete: ${copied.missing}`}>
      {label}
    </button>
  )
}
