import type { ShardOfCases } from '../cases/divide.ts'
import { isScriptTest, type Job, suiteAgent } from '../cases/entry.ts'
import { defined, emptyToUndefined } from '../json/defined.ts'
import type { CarriedOver } from '../results/carried-over.ts'
import type { Gates } from '../results/gates.ts'
import type { ResultName } from '../results/key.ts'
import type { RunOrigin, RunShard, RunStart } from '../results/summary.ts'
import { version } from '../version.ts'
import { buildContext } from './identity.ts'
import { entryVariants, type JobList, makeJobs } from './jobs.ts'
import type { Stage } from './stage.ts'

interface Starting {
  stage: Pick<Stage, 'agents' | 'identity' | 'seed'>
  connector?: string
  command?: string
  runs: number
  gates?: Gates
  leftOut: ResultName[]
  carriedOver?: CarriedOver[]
  shard?: ShardOfCases
  origin?: RunOrigin
  queueRun?: string
}

/** Describes what is about to run, and in which environment. Jobs that are not open have results already. */
export function describeStart(jobs: JobList, open: JobList, starting: Starting): RunStart {
  const { stage, connector, command, runs, gates, leftOut, carriedOver, shard, origin, queueRun } = starting
  const { total, ...described } = describeJobs(jobs, stage.agents)
  const left = open === jobs ? total : countEntries(open)
  const variants = [...stage.agents.keys()]
  const { userId, teamId, locale } = buildContext(stage.identity, {})
  return defined({
    vivaVersion: version,
    timestamp: new Date().toISOString(),
    ...described,
    connector,
    variants,
    runs,
    seed: stage.seed,
    resumed: total - left || undefined,
    leftOut: emptyToUndefined(leftOut),
    carriedOver: carriedOver && emptyToUndefined(carriedOver),
    environment: { userId, teamId, locale },
    gates,
    shard: shard && describeShard(shard, stage.agents),
    command,
    origin,
    queueRun,
  })
}

type DescribedJobs = Pick<RunStart, 'planHash' | 'totalCases' | 'multiTurn' | 'agentId' | 'scripts'>

/** `total` is the number of results. */
function describeJobs(jobs: JobList, agents: Stage['agents']): DescribedJobs & { total: number } {
  const { planHash, total, cases, multiTurn, suiteAgents, scripts } = inspectJobs(jobs)
  const ids = [...agents.values()].map(({ id }) => id)
  return defined({
    total,
    planHash,
    totalCases: cases,
    multiTurn: multiTurn || undefined,
    agentId: [...new Set([...ids, ...suiteAgents])].join(', '),
    scripts: emptyToUndefined(scripts),
  })
}

function describeShard({ all, ...shard }: ShardOfCases, agents: Stage['agents']): RunShard {
  const { total: _, ...described } = describeJobs(makeJobs(all, agents.keys()), agents)
  return { ...shard, ...described }
}

function countEntries(jobs: Iterable<Job>): number {
  let count = 0
  for (const { entries } of jobs) count += entries.length
  return count
}

interface InspectedJobs {
  planHash: string
  /** The number of results. */
  total: number
  /** The number of cases, once for each variant. */
  cases: number
  /** Whether some case can have more than one turn. */
  multiTurn: boolean
  suiteAgents: Set<string>
  /** The files of script tests, in their order. */
  scripts: NonNullable<RunStart['scripts']>
}

/** In one pass, because every job is made for it. */
function inspectJobs(jobs: Iterable<Job>): InspectedJobs {
  const found: InspectedJobs = {
    planHash: '',
    total: 0,
    cases: 0,
    multiTurn: false,
    suiteAgents: new Set(),
    scripts: [],
  }
  for (const { planHash, entries, run } of jobs) {
    found.planHash = planHash
    found.total += entries.length
    if (run === 1) found.cases += entries.length
    found.multiTurn ||= entries.some(({ multiTurn }) => multiTurn)
    const [first] = entries
    if (first !== undefined && suiteAgent(first) !== undefined)
      for (const name of entryVariants(first, [])) found.suiteAgents.add(name)
    if (run === 1 && first !== undefined && isScriptTest(first))
      found.scripts.push({ file: first.file, tests: entries.length })
  }
  return found
}
