import type { CaseList } from '../../cases/case-list.ts'
import type { IsWanted } from '../../run/jobs.ts'
import { planRun } from '../../run/run.ts'
import type { PlayedAgents } from './agents.ts'
import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

interface PlanNeeds {
  cases: CaseList
  agents: PlayedAgents
  settings: Pick<Settings, 'runs'>
  secrets: Pick<Secrets, 'redact'>
  /** With `--changed`. */
  carried?: { isWanted: IsWanted } | undefined
}

/** The jobs of the run, and the results that are expected of them. */
export const planPhase = {
  name: 'plan',
  open: ({ cases, agents, settings, secrets, carried }: PlanNeeds) =>
    planRun(cases, agents.keys(), settings.runs, secrets.redact(), carried?.isWanted),
} as const
