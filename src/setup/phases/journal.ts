import type { Journal } from '../../results/journal.ts'
import type { Outputs } from './outputs.ts'

/** Nothing is written before everything else is ready. */
export const journalPhase = {
  name: 'journal',
  open: ({ outputs }: { outputs: Outputs }) => outputs.openJournal(),
  close: (journal: Journal) => journal.close(),
} as const
