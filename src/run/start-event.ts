import { isScriptTest, type Job, suiteAgent } from '../cases/entry.ts'
import { defined, emptyToUndefined } from '../json/defined.ts'
import type { Gates } from '../results/gates.ts'
import type { ResultName } from '../results/key.ts'
import type { RunStart } from '../results/summary.ts'
import { version } from '../version.ts'
import { buildContext } from './identity.ts'
import type { Stage } from './stage.ts'

interface Starting {
  stage: Pick<Stage, 'agents' | 'identity' | 'seed'>
  connector?: string
  command?: string
  runs: number
  gates?: Gates
  leftOut: ResultName[]
}

/** Describes what is about to run, and in which environment. Jobs that are not open have results already. */
export function describeStart(jobs: readonly Job[], open: readonly Job[], starting: Starting): RunStart {
  const { stage, connector, command, runs, gates, leftOut } = starting
  const total = countEntries(jobs)
  const variants = [...stage.agents.keys()]
  const agents = [...stage.agents.values()].map(({ id }) => id)
  const ofSuites = jobs.flatMap(({ entries: [first] }) => (first && suiteAgent(first)) ?? [])
  const { userId, teamId, locale } = buildContext(stage.identity, {})
  return defined({
    vivaVersion: version,
    timestamp: new Date().toISOString(),
    planHash: jobs[0]?.planHash ?? '',
    totalCases: total / runs,
    multiTurn: jobs.some(({ entries }) => entries.some(({ multiTurn }) => multiTurn)) || undefined,
    agentId: [...new Set([...agents, ...ofSuites])].join(', '),
    connector,
    variants,
    runs,
    seed: stage.seed,
    resumed: total - countEntries(open) || undefined,
    leftOut: emptyToUndefined(leftOut),
    environment: { userId, teamId, locale },
    scripts: emptyToUndefined(listScripts(jobs)),
    gates,
    command,
  })
}

function countEntries(jobs: readonly Job[]): number {
  return jobs.reduce((sum, { entries }) => sum + entries.length, 0)
}

/** The files of script tests among the jobs, in their order. */
function listScripts(jobs: readonly Job[]): NonNullable<RunStart['scripts']> {
  return jobs
    .filter(({ entries, run }) => run === 1 && entries.some(isScriptTest))
    .map(({ entries }) => ({ file: entries[0]?.file ?? '', tests: entries.length }))
}
