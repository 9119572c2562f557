import { agentOfSuite, isScriptTest, type Job } from '../cases/entry.ts'
import { defined } from '../defined.ts'
import type { Gates } from '../results/gates.ts'
import type { RunStart } from '../results/summary.ts'
import type { PlannedResults } from '../results/tally.ts'
import { schemaVersion, version } from '../version.ts'
import { contextFor } from './identity.ts'
import type { Stage } from './stage.ts'

interface Starting {
  stage: Pick<Stage, 'agents' | 'identity' | 'seed'>
  connector?: string
  command?: string
  finished: PlannedResults
  runs: number
  gates?: Gates
}

/** What is about to be played, and as whom. */
export function describeStart(jobs: readonly Job[], starting: Starting): RunStart {
  const { stage, connector, command, finished, runs, gates } = starting
  const variants = [...stage.agents.keys()]
  const scripts = scriptsOf(jobs)
  const agents = [...stage.agents.values()].map(({ id }) => id)
  const ofSuites = jobs.flatMap(({ entries: [first] }) => (first && agentOfSuite(first)) ?? [])
  const { userId, teamId, locale } = contextFor(stage.identity, {})
  return {
    schemaVersion,
    vivaVersion: version,
    timestamp: new Date().toISOString(),
    planHash: jobs[0]?.planHash ?? '',
    totalCases: jobs.reduce((sum, { entries }) => sum + entries.length, 0) / runs,
    agentId: [...new Set([...agents, ...ofSuites])].join(', '),
    ...defined({ connector, command, seed: stage.seed, resumed: finished.size || undefined }),
    variants,
    runs,
    environment: { userId, teamId, locale },
    ...(scripts.length === 0 ? {} : { scripts }),
    ...defined({ gates }),
  }
}

/** The files of script tests among the jobs, in their order. */
function scriptsOf(jobs: readonly Job[]): NonNullable<RunStart['scripts']> {
  return jobs
    .filter(({ entries, run }) => run === 1 && entries.some(isScriptTest))
    .map(({ entries }) => ({ file: entries[0]?.file ?? '', tests: entries.length }))
}
