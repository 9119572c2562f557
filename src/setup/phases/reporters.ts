import type { HistoryRecorder } from '../../analysis/history/record.ts'
import type { Reporter } from '../../reporters/reporter.ts'
import type { ResultStore } from '../../results/store.ts'
import type { SnapshotStore } from '../snapshots/snapshot-store.ts'
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
    snapshots,
  }: ReportersNeeds & { history: HistoryRecorder; snapshots: SnapshotStore }): Reporter[] => [
    ...terminal.reporters,
    ...outputs.reporters(journal),
    history,
    snapshots.reporter,
  ],
} as const
