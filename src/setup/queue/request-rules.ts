import { locateModule } from '../../agents/resolve-reference.ts'
import { resolveProjectFile } from '../../cases/attached-file.ts'
import { ConfigError, errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import type { RunOffer } from '../../run/workers/messages.ts'
import { isProjectAgent } from '../branch/recorded-agent.ts'
import type { RunRequest } from '../phases/settings.ts'

type Offered = RunOffer['request']

/** What a worker knows when it decides whether it may do what a run asks for. */
export interface RuleNeeds {
  project: Project
  /** The folder of the first input. */
  folder: string
  /** The same files, as they are called here. */
  request: Pick<RunRequest, 'ctx'>
  /** Agents and connectors outside of the project that its command names. */
  allowed: { names: readonly string[]; connectors: readonly string[] }
}

/** `stays`: workers do not get it. `data`: nothing is opened or started by it. Else what is checked before it is used. */
type Rule<Value> = 'stays' | 'data' | ((value: Value, needs: RuleNeeds) => void)

type Rules = {
  [Key in keyof Required<RunRequest> | keyof Required<Offered>]: Key extends keyof Offered
    ? Exclude<Rule<NonNullable<Offered[Key]>>, 'stays'>
    : 'stays'
}

/** Every key of a run: whether it travels to workers, and what a worker checks before it uses it. */
const rules: Rules = {
  names(names, { project, allowed }) {
    for (const name of names) refuseForeignAgent('agent', name, name, { project, allowed })
  },
  simulator(simulator, { project, folder, allowed }) {
    const located = locateModule(simulator, [project.cwd, folder], project.cwd)
    refuseForeignAgent('simulator', simulator, located, { project, allowed })
  },
  connectors(connectors, { allowed }) {
    for (const connector of connectors)
      if (!allowed.connectors.includes(connector) && connector.includes(':'))
        throw refusedRun(
          `its connector ${connector} is an address`,
          `start the worker with -c '${connector}' to allow it`,
        )
  },
  ctx(named, { project, request }) {
    try {
      resolveProjectFile(request.ctx ?? named, project.root, named)
    } catch (error) {
      throw refusedRun(`its file of --ctx: ${errorMessage(error)}`)
    }
  },
  identity: 'data',
  timeout: 'data',
  onMissingInput: 'data',
  stubAll: 'data',
  seed: 'data',
  masks: 'data',
  transcripts: 'data',
  requireChecks: 'data',
  inputs: 'stays',
  outputs: 'stays',
  reporters: 'stays',
  selection: 'stays',
  files: 'stays',
  watch: 'stays',
  lastFailed: 'stays',
  changed: 'stays',
  order: 'stays',
  shard: 'stays',
  parallel: 'stays',
  resume: 'stays',
  record: 'stays',
  replay: 'stays',
  queue: 'stays',
  failFast: 'stays',
  retries: 'stays',
  runs: 'stays',
  gates: 'stays',
  budget: 'stays',
  origin: 'stays',
  baseline: 'stays',
  graded: 'stays',
  alpha: 'stays',
  coverage: 'stays',
  beforeAll: 'stays',
  afterAll: 'stays',
  interactive: 'stays',
  skipInteractive: 'stays',
  updateSnapshots: 'stays',
  maxInfrastructureErrors: 'stays',
  list: 'stays',
  dryRun: 'stays',
  json: 'stays',
  verbose: 'stays',
}

/** Throws if a run asks for something outside of the project that the worker does not allow. */
export function refuseForeignRequest(offered: Offered, needs: RuleNeeds): void {
  for (const key of Object.keys(offered) as (keyof Offered)[]) checkKey(key, offered[key], needs)
}

function checkKey<Key extends keyof Offered>(key: Key, value: Offered[Key], needs: RuleNeeds): void {
  const rule = rules[key] as Rule<Offered[Key]>
  if (value !== undefined && typeof rule === 'function') rule(value, needs)
}

function refuseForeignAgent(
  what: string,
  name: string,
  located: string,
  { project, allowed }: Pick<RuleNeeds, 'project' | 'allowed'>,
): void {
  if (allowed.names.includes(name) || isProjectAgent(located, project.cwd, project)) return
  throw refusedRun(
    `its ${what} ${name} is not one of the project`,
    `start the worker with -n '${name}' to allow it`,
  )
}

/** Why a worker does not take part in a run. */
export function refusedRun(message: string, hint?: string): ConfigError {
  return new ConfigError({ code: 'refused_run', message, ...defined({ hint }) })
}
