import type { Order } from '../../analysis/history/orders.ts'
import type { Selection } from '../../cases/select.ts'
import type { MissingInput } from '../../conversation/plan.ts'
import { defined } from '../../json/defined.ts'
import type { Privacy } from '../../privacy/redaction.ts'
import type { Config } from '../../project/config-schema.ts'
import type { Project } from '../../project/project.ts'
import type { Gates } from '../../results/gates.ts'
import type { ShardChoice } from '../../results/shard.ts'
import type { RunOrigin } from '../../results/summary.ts'
import type { Budget } from '../../run/budget.ts'
import type { Identity } from '../../run/identity.ts'
import { defaultRetryPolicy, type RetryPolicy } from '../../scope/retry.ts'
import type { ReplayRules } from '../../scope/tape.ts'
import { parseDuration } from '../../text/duration.ts'
import type { SnapshotChoice } from '../snapshots/choices.ts'

/** How many cases run at once; `auto`: as many as the server can take. */
export type Parallel = number | 'auto'

/** Where calls are answered from, and which of them go out all the same. */
export interface ReplaySettings extends ReplayRules {
  file: string
}

/** Where workers wait for jobs. */
export interface QueueSettings {
  /** As `--queue` has it. */
  address: string
  /** How long the run goes on without a worker. */
  workerTimeoutMs: number
}

/** What a run is asked for, with what the config adds. */
export interface Settings extends Privacy {
  /** Each with each: the variants that are played and compared. */
  names: (string | undefined)[]
  connectors: (string | undefined)[]
  outputs: string[]
  reporters: string[]
  identity: Omit<Identity, 'file'>
  ctx?: string
  selection: Selection
  /** Only these files of the inputs, as real paths. */
  files?: ReadonlySet<string>
  /** One of several runs of `--watch`. */
  watch?: boolean
  /** Only what did not pass when it was played last. */
  lastFailed: boolean
  /** Cases whose last passes still hold are not played. */
  changed?: boolean
  order?: Order
  /** Only a part of the selected cases. */
  shard?: ShardChoice
  parallel: Parallel
  timeoutMs: number
  /** Of one script test. */
  testTimeoutMs: number
  retry: RetryPolicy
  onMissingInput?: MissingInput
  resume?: string
  /** Where all calls are kept. */
  record?: string
  replay?: ReplaySettings
  /** Workers on other machines play the cases. */
  queue?: QueueSettings
  failFast: boolean
  retries: number
  /** How often every case is played; with a confidence in the gates, at most. */
  runs: number
  gates?: Gates
  budget: Budget
  /** What the results are made from; absent for a live run. */
  origin?: RunOrigin
  /** A file of results to compare with. */
  baseline?: string
  /** A results file whose conversations are graded, and not held. */
  graded?: string
  alpha: number
  coverage: boolean
  /** References to scripts around the whole run. */
  beforeAll?: string
  afterAll?: string
  seed?: number
  /** Without `agents:`. */
  simulator?: string
  interactive: boolean
  skipInteractive: boolean
  stubAll: boolean
  /** Which snapshots are written; by default those that are missing, except in CI. */
  updateSnapshots?: SnapshotChoice
  /** Of all cases, 0 to 1. */
  maxInfrastructureErrors: number
  list: boolean
  dryRun: boolean
  json: boolean
  verbose: boolean
}

/** What is needed to open an app without playing cases. */
export type AppSettings = Pick<Settings, 'parallel' | 'simulator'>

/** What a run is asked for, by flags or by options. What is missing comes from the config, or is a default. */
export interface RunRequest
  extends Omit<Settings, 'parallel' | 'timeoutMs' | 'testTimeoutMs' | 'retry' | 'transcripts'> {
  /** Case files, folders, messages and generators, as they were written. */
  inputs: readonly string[]
  parallel?: Parallel
  timeout?: string
  transcripts: boolean
}

const defaultTimeout = '5m'
const defaultTestTimeout = '30s'

/** Fills up from the config what was not asked for. */
export function settle(request: RunRequest, config: Config): Settings {
  const timeout = request.timeout ?? config.timeout
  const { retries = defaultRetryPolicy.retries, backoff } = config.network ?? {}
  return {
    ...request,
    parallel: request.parallel ?? config.parallel ?? 1,
    timeoutMs: parseDuration(timeout ?? defaultTimeout) ?? 0,
    testTimeoutMs: parseDuration(timeout ?? defaultTestTimeout) ?? 0,
    retry: { retries, backoffMs: (backoff && parseDuration(backoff)) || defaultRetryPolicy.backoffMs },
    transcripts: request.transcripts && config.transcripts !== false,
    masks: [...(config.masks ?? []), ...request.masks],
    ...defined({ origin: request.replay && replayOrigin(request.replay) }),
  }
}

export function replayOrigin({ file, live }: ReplaySettings): RunOrigin {
  return { kind: 'replayed', from: file, ...(live.length > 0 && { live: live.toSorted() }) }
}

export const settingsPhase = {
  name: 'settings',
  open: ({ request, project }: { request: RunRequest; project: Project }): Settings =>
    settle(request, project.config),
} as const
