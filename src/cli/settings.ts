import { resolve } from 'node:path'
import type { Order } from '../analysis/history/orders.ts'
import type { Selection } from '../cases/select.ts'
import type { MissingInput } from '../conversation/plan.ts'
import { type Defined, defined, orUndefined } from '../json/defined.ts'
import type { Privacy } from '../privacy/redaction.ts'
import type { Config } from '../project/config-schema.ts'
import type { Gates } from '../results/gates.ts'
import type { Budget } from '../run/budget.ts'
import type { Identity } from '../run/identity.ts'
import { defaultRetryPolicy, type RetryPolicy } from '../scope/retry.ts'
import { agentName } from '../text/agent-name.ts'
import { parseDuration } from '../text/duration.ts'
import { sequentialOf } from './check-flags.ts'
import type { GivenFlags } from './flags.ts'

/** The flags as the run needs them, filled up from the config. */
export interface Settings extends Privacy {
  /** Each with each: the variants that are played and compared. */
  names: (string | undefined)[]
  connectors: (string | undefined)[]
  outputs: string[]
  reporters: string[]
  identity: Omit<Identity, 'file'>
  ctx?: string
  selection: Selection
  /** Only what did not pass when it was played last. */
  lastFailed: boolean
  order?: Order
  parallel: number
  timeoutMs: number
  /** Of one script test. */
  testTimeoutMs: number
  retry: RetryPolicy
  onMissingInput?: MissingInput
  resume?: string
  failFast: boolean
  retries: number
  /** How often every case is played; with a confidence in the gates, at most. */
  runs: number
  gates?: Gates
  budget: Budget
  /** A file of results to compare with. */
  baseline?: string
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
  /** Of all cases, 0 to 1. */
  maxInfrastructureErrors: number
  list: boolean
  dryRun: boolean
  json: boolean
  verbose: boolean
}

const defaultTimeout = '5m'
const defaultTestTimeout = '30s'

/** `given` has been checked. */
export function settingsOf(given: GivenFlags, config: Config): Settings {
  const text = (value: GivenFlags[keyof GivenFlags]) => (typeof value === 'string' ? value : undefined)
  const list = (value: GivenFlags[keyof GivenFlags]) => (Array.isArray(value) ? value : [])
  const path = (value: GivenFlags[keyof GivenFlags]) =>
    typeof value === 'string' ? resolve(value) : undefined
  const simulator = text(given.simulator)
  const timeout = text(given.timeout) ?? config.timeout
  const { retries = defaultRetryPolicy.retries, backoff } = config.network ?? {}
  return {
    names: orOne(list(given.name)),
    connectors: orOne(list(given.connector)),
    outputs: list(given.output),
    reporters: list(given.reporter),
    identity: defined({ user: text(given.user), team: text(given.team), locale: text(given.locale) }),
    selection: {
      tags: list(given.tag),
      requireChecks: given.requireChecks === true,
      ...defined({ run: text(given.run) }),
    },
    lastFailed: given.lastFailed === true,
    parallel: Number(given.parallel ?? config.parallel ?? 1),
    timeoutMs: parseDuration(timeout ?? defaultTimeout) ?? 0,
    testTimeoutMs: parseDuration(timeout ?? defaultTestTimeout) ?? 0,
    retry: { retries, backoffMs: (backoff && parseDuration(backoff)) || defaultRetryPolicy.backoffMs },
    interactive: given.interactive === true,
    skipInteractive: given.skipInteractive === true,
    stubAll: given.stubAll === true,
    failFast: given.failFast === true,
    retries: Number(given.retries ?? 0),
    runs: given.runs === 'auto' ? sequentialOf(given).maxRuns : Number(given.runs ?? 1),
    budget: defined({ cost: number(given.maxCost), tokens: number(given.maxTokens) }),
    coverage: given.coverage === true,
    alpha: Number(given.alpha ?? 0.05),
    maxInfrastructureErrors: Number.parseFloat(text(given.maxInfrastructureErrors) ?? '0') / 100,
    list: given.list === true,
    dryRun: given.dryRun === true,
    json: given.json === true,
    transcripts: given.transcripts !== false && config.transcripts !== false,
    masks: [...(config.masks ?? []), ...list(given.mask)],
    verbose: given.verbose === true,
    ...defined({
      gates: gatesOf(given),
      baseline: text(given.baseline),
      ctx: text(given.ctx),
      order: text(given.order) as Order | undefined,
      simulator: simulator === undefined ? undefined : agentName(simulator),
      seed: given.seed === undefined ? undefined : Number(given.seed),
      resume: path(given.resume),
      beforeAll: text(given.beforeAll),
      afterAll: text(given.afterAll),
      onMissingInput: text(given.onMissingInput) as MissingInput | undefined,
    }),
  } satisfies Defined<Settings>
}

function number(value: GivenFlags[keyof GivenFlags]): number | undefined {
  return value === undefined ? undefined : Number(value)
}

function gatesOf(given: GivenFlags): Gates | undefined {
  const gates = defined({
    case: number(given.gate),
    confidence: given.runs === 'auto' ? sequentialOf(given).confidence : undefined,
    suite: number(given.gateSuite),
    stable: given.gateStable === true ? true : undefined,
  })
  return orUndefined(gates)
}

/** Nothing named is one, to be found. */
function orOne(named: string[]): (string | undefined)[] {
  return named.length === 0 ? [undefined] : [...new Set(named)]
}
