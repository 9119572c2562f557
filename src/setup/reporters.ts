import type { Audit } from '../analysis/audit/audit.ts'
import type { HistoryRecorder } from '../analysis/history/record.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { ResultStore } from '../results/store.ts'
import type { Terminal } from './front.ts'
import type { Outputs } from './outputs.ts'

interface ReportersNeeds {
  terminal: Terminal
  outputs: Outputs
  journal: ResultStore
}

export const reportersPhase = {
  name: 'reporters',
  open: ({
    terminal,
    outputs,
    journal,
    history,
  }: ReportersNeeds & { history: HistoryRecorder }): Reporter[] => [
    ...terminal.reporters,
    ...outputs.reporters(journal),
    history,
  ],
} as const

export const auditReportersPhase = {
  name: 'reporters',
  open: ({
    terminal,
    outputs,
    journal,
    audited,
  }: ReportersNeeds & { audited: { audit: Audit } }): Reporter[] => [
    terminal.auditReporter(audited.audit),
    // A workflow takes every failure for one to mend, and here failures are what is wanted.
    ...outputs.reporters(journal).filter(({ name }) => name !== 'github'),
  ],
} as const
