import type { Job } from '../cases/entry.ts'
import { defined } from '../defined.ts'
import type { RunStart } from '../results/summary.ts'
import type { PlannedResults } from '../results/tally.ts'
import { schemaVersion, version } from '../version.ts'
import { contextFor } from './identity.ts'
import type { Stage } from './play-job.ts'

interface Starting {
  stage: Pick<Stage, 'agents' | 'identity' | 'seed'>
  connector?: string
  finished: PlannedResults
}

/** What is about to be played, and as whom. */
export function describeStart(jobs: readonly Job[], starting: Starting): RunStart {
  const { stage, connector, finished } = starting
  const variants = [...stage.agents.keys()]
  const { userId, teamId, locale } = contextFor(stage.identity, {})
  return {
    schemaVersion,
    vivaVersion: version,
    timestamp: new Date().toISOString(),
    planHash: jobs[0]?.planHash ?? '',
    totalCases: jobs.length,
    agentId: [...stage.agents.values()].map((agent) => agent.id).join(', '),
    ...defined({ connector, seed: stage.seed, resumed: finished.size || undefined }),
    variants,
    runs: 1,
    environment: { userId, teamId, locale },
  }
}
