import { resolve } from 'node:path'
import type { Order } from '../analysis/history/orders.ts'
import type { MissingInput } from '../conversation/plan.ts'
import { type Defined, defined, emptyToUndefined } from '../json/defined.ts'
import type { Gates } from '../results/gates.ts'
import type { ShardBasis, ShardChoice } from '../results/shard.ts'
import type { Layer } from '../scope/tape.ts'
import type { QueueSettings, ReplaySettings, RunRequest } from '../setup/phases/settings.ts'
import { replaySettings } from '../setup/run-rules.ts'
import type { SnapshotChoice } from '../setup/snapshots/choices.ts'
import { agentName } from '../text/agent-name.ts'
import { parseDuration } from '../text/duration.ts'
import { autoRuns } from './check-flags.ts'
import type { GivenFlags } from './flags.ts'

type Value = GivenFlags[keyof GivenFlags]

/** What the flags ask for. They have been checked. */
export function readRequest(given: GivenFlags, cwd: string): RunRequest {
  const path = (value: Value) => (typeof value === 'string' ? resolve(cwd, value) : undefined)
  const simulator = text(given.simulator)
  return {
    inputs: [given.input ?? []].flat().map(String),
    names: orUnnamed(list(given.name)),
    connectors: orUnnamed(list(given.connector)),
    outputs: list(given.output),
    reporters: list(given.reporter),
    identity: defined({ user: text(given.user), team: text(given.team), locale: text(given.locale) }),
    selection: {
      tags: list(given.tag),
      requireChecks: given.requireChecks === true,
      ...defined({ run: text(given.run) }),
    },
    lastFailed: given.lastFailed === true,
    changed: given.changed === true,
    interactive: given.interactive === true,
    skipInteractive: given.skipInteractive === true,
    stubAll: given.stubAll === true,
    failFast: given.failFast === true,
    retries: Number(given.retries ?? 0),
    runs: given.runs === 'auto' ? autoRuns(given).maxRuns : Number(given.runs ?? 1),
    budget: defined({ cost: number(given.maxCost), tokens: number(given.maxTokens) }),
    coverage: given.coverage === true,
    alpha: Number(given.alpha ?? 0.05),
    maxInfrastructureErrors: Number.parseFloat(text(given.maxInfrastructureErrors) ?? '0') / 100,
    list: given.list === true,
    dryRun: given.dryRun === true,
    json: given.json === true,
    transcripts: given.transcripts !== false,
    masks: list(given.mask),
    verbose: given.verbose === true,
    ...defined({
      parallel: given.parallel === 'auto' ? 'auto' : number(given.parallel),
      timeout: text(given.timeout),
      gates: readGates(given),
      baseline: text(given.baseline),
      ctx: text(given.ctx),
      order: text(given.order) as Order | undefined,
      simulator: simulator === undefined ? undefined : agentName(simulator),
      seed: number(given.seed),
      shard: readShard(given),
      resume: path(given.resume),
      queue: readQueue(given),
      record: path(given.record),
      replay: readReplay(given),
      beforeAll: text(given.beforeAll),
      afterAll: text(given.afterAll),
      updateSnapshots:
        given.updateSnapshots === true ? 'all' : (text(given.updateSnapshots) as SnapshotChoice | undefined),
      onMissingInput: text(given.onMissingInput) as MissingInput | undefined,
    }),
  } satisfies Defined<RunRequest>
}

function readReplay({ replay, live, replayMissing }: GivenFlags): ReplaySettings | undefined {
  if (typeof replay !== 'string') return undefined
  return replaySettings(replay, list(live) as Layer[], replayMissing === 'live' ? 'live' : 'error')
}

/** How long a run goes on without workers, if nobody says otherwise. */
const defaultWorkerTimeout = '25s'

function readQueue({ queue, workerTimeout }: GivenFlags): QueueSettings | undefined {
  if (typeof queue !== 'string') return undefined
  return { address: queue, workerTimeoutMs: parseDuration(text(workerTimeout) ?? defaultWorkerTimeout) ?? 0 }
}

function text(value: Value): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function list(value: Value): string[] {
  return Array.isArray(value) ? value : []
}

function number(value: Value): number | undefined {
  return value === undefined ? undefined : Number(value)
}

function readShard({ shard, shardBy = 'hash' }: GivenFlags): ShardChoice | undefined {
  if (typeof shard !== 'string') return undefined
  const [index = 1, of = 1] = shard.split('/').map(Number)
  return { index, of, by: shardBy as ShardBasis }
}

function readGates(given: GivenFlags): Gates | undefined {
  const gates = defined({
    case: number(given.gate),
    confidence: given.runs === 'auto' ? autoRuns(given).confidence : undefined,
    suite: number(given.gateSuite),
    stable: given.gateStable === true ? true : undefined,
  })
  return emptyToUndefined(gates)
}

/** Without a name there is one agent, which is looked for. */
function orUnnamed(named: string[]): (string | undefined)[] {
  return named.length === 0 ? [undefined] : [...new Set(named)]
}
