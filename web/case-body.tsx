import { CaseFacts } from './case-facts.tsx'
import { CaseReason } from './case-reason.tsx'
import { Check, NotEvaluated } from './check.tsx'
import { Checkpoints } from './checkpoints.tsx'
import { Conversation } from './conversation.tsx'
import type { PageResult, PageRow } from './report-data.ts'
import { ScriptTest } from './script-test.tsx'
import { ScrolledText } from './scrolled-text.tsx'

interface CaseBodyProps {
  result: PageResult
  row: PageRow
  /** The command of the run. */
  command: string | undefined
}

/** A whole result, starting with the reason why it failed. */
export function CaseBody({ result, row, command }: CaseBodyProps) {
  const { final_assertions: finals = [], final_assertions_not_evaluated: missed = [], logs = [] } = result
  return (
    <>
      <CaseReason result={result} row={row} command={command} />
      {result.kind === 'script' ? <ScriptTest result={result} /> : <Conversation result={result} />}
      {result.kind !== 'script' && finals.length + missed.length > 0 ? (
        <section>
          <h3>Final checks</h3>
          <ul class="checks">
            {finals.map((check, index) => (
              <Check key={index} check={check} />
            ))}
            <NotEvaluated types={missed} />
          </ul>
        </section>
      ) : null}
      <Checkpoints checkpoints={result.checkpoints ?? []} />
      {logs.length > 0 ? (
        <section>
          <h3>Log</h3>
          <ScrolledText class="logs" text={logs.join('\n')} />
        </section>
      ) : null}
      <CaseFacts result={result} />
    </>
  )
}
