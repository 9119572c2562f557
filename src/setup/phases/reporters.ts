import type { HistoryRecorder } from '../../analysis/history/record.ts'
import type { Reporter } from '../../reporters/reporter.ts'
import type { ResultStore } from '../../results/store.ts'
import type { Terminal } from '../terminal-contract.ts'
import type { Outputs } from './outputs.ts'

export interface ReportersNeeds {
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
