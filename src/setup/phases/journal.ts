import type { Journal } from '../../results/journal.ts'
import type { RunPlan } from '../../run/run.ts'
import type { Outputs } from './outputs.ts'

/** Nothing is written before everything else is ready. */
export const journalPhase = {
  name: 'journal',
  open: ({ outputs, plan }: { outputs: Outputs; plan: RunPlan }) => outputs.openJournal(plan.expected),
  close: (journal: Journal) => journal.close(),
} as const
