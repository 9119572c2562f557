import { z } from 'zod'
import { defined } from '../json/defined.ts'
import type { Redactor } from '../privacy/redact.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { CaseResult } from '../results/result.ts'
import type { ResultStore } from '../results/store.ts'
import { fixedLimit } from '../run/queue/concurrency-limit.ts'
import { type RunOutcome, type RunPlan, run } from '../run/run.ts'
import { type OpenedBy, phases, type Start } from '../setup/phase.ts'
import type { PlayedAgents } from '../setup/phases/agents.ts'
import { casesPhase } from '../setup/phases/cases.ts'
import { planPhase } from '../setup/phases/plan.ts'
import type { Secrets } from '../setup/phases/secrets.ts'
import type { Settings } from '../setup/phases/settings.ts'
import type { Source } from '../setup/phases/source.ts'
import type { engineAgent } from './agent.ts'
import { type AnyTestCase, milliseconds, type SuiteCaseSettings } from './compile-case.ts'
import { combineIterations } from './iterations.ts'
import { memoryStore } from './memory-store.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { type BorrowedServices, type EvalProject, OpenProject } from './project.ts'
import { type EvalReport, summarizeRun } from './report.ts'
import { type EvalTestResult, type PlayedResult, playedResult } from './results.ts'
import { hideSecrets } from './secrets.ts'
import { type SuiteOutputs, suiteOutputs } from './suite-outputs.ts'
import { type SuiteSource, testCaseSource } from './suite-source.ts'
import { followSignal, suiteStage } from './suite-stage.ts'

/** The options of `run`. */
export interface EvalRunOptions<Input = unknown, Output = unknown> {
  /** How many are played at once; default 1. */
  concurrency?: number | undefined
  /** How often each case is played; default 1. */
  iterations?: number | undefined
  stopOnFirstFailure?: boolean | undefined
  signal?: AbortSignal | undefined
  /** A project (`openProject`) whose services run beside the agent and are reset before each case. */
  project?: EvalProject | undefined
  /** Of a case: milliseconds, or a text like `'30s'`. Default 2 minutes. */
  timeout?: number | string | undefined
  /** How often a failed case is played again; one that passes then is flaky. Default 0. */
  retries?: number | undefined
  /** A case that checks nothing but that the agent answers is an error. */
  requireChecks?: boolean | undefined
  reporters?: readonly Reporter[] | undefined
  /** Files for the results (`.jsonl`) and for reports (`.html`, `.md`, `.json`, `.xml`, `.txt`). */
  output?: string | readonly string[] | undefined
  /** Called with every play the moment it is over, with the values as they were made. */
  onResult?: ((result: PlayedResult<Input, Output>) => void | Promise<void>) | undefined
  /** `false`: results are only told to `onResult`, and not kept. */
  keepResults?: boolean | undefined
}

const optionsSchema = lazySchema(() => {
  const flag = z.boolean().optional()
  return z.strictObject({
    concurrency: fields.wholeNumber(1).optional(),
    iterations: fields.wholeNumber(1).optional(),
    stopOnFirstFailure: flag,
    signal: z.unknown().optional(),
    project: z.custom((value) => value instanceof OpenProject, 'must be made by openProject').optional(),
    timeout: fields.timeout().optional(),
    retries: fields.wholeNumber(0).optional(),
    requireChecks: flag,
    reporters: z.array(z.unknown()).optional(),
    output: z.union([z.string(), z.array(z.string())]).optional(),
    onResult: fields.callable().optional(),
    keepResults: flag,
  })
})
const standardTimeout = '2m'

interface SuiteStart extends Start {
  settings: Pick<Settings, 'runs'>
  source: Source
  chosen: { selection: Settings['selection'] }
  agents: PlayedAgents
  secrets: Pick<Secrets, 'redact'>
  outputs: SuiteOutputs
  /** The caller's own. */
  reporters: readonly Reporter[]
  project: OpenProject | undefined
}

/** They go on for other runs with the same project, which stops them when it is closed. */
const projectServicesPhase = {
  name: 'borrowed',
  open: async ({ project, signal }: SuiteStart) => project?.borrowServices(signal),
  close: (borrowed: BorrowedServices | undefined) => borrowed?.giveBack(),
} as const

/** Results go to a file where one is asked for; otherwise they are kept in memory, for reporters that read them again. */
const storePhase = {
  name: 'journal',
  open: ({ plan, outputs, reporters }: SuiteStart & { plan: RunPlan }): ResultStore =>
    outputs.openStore(plan.expected) ??
    memoryStore(plan.expected, reporters.length + outputs.reporters.length > 0),
  close: (store: ResultStore) => store.close(),
} as const

/** A suite needs less than a command: its cases and agents are values of the caller's. */
const suiteSetup = phases<SuiteStart>()
  .with(casesPhase)
  .with(projectServicesPhase)
  .with(planPhase)
  .with(storePhase)

export interface SuiteRun {
  cases: readonly AnyTestCase[]
  options: EvalRunOptions
  agent: ReturnType<typeof engineAgent>
  settings: SuiteCaseSettings
}

/** Plays the cases of a suite with the engine of the command. */
export async function runSuite({ cases, options, agent, settings }: SuiteRun): Promise<EvalReport> {
  checkOptions(optionsSchema, options, 'run')
  const runs = options.iterations ?? 1
  const source = testCaseSource(cases, settings)
  const project = options.project as OpenProject | undefined
  const redact = hideSecrets()
  const collector = collect(source, options.keepResults ?? true, redact)
  const startedAt = new Date()
  const stop = followSignal(options.signal)
  const start: SuiteStart = {
    signal: stop.signal,
    settings: { runs },
    source: { cases: source, generated: [], testHosts: [] },
    chosen: { selection: { tags: [], requireChecks: options.requireChecks ?? false } },
    agents: new Map([[agent.id, agent]]),
    secrets: { redact },
    outputs: suiteOutputs(options.output),
    reporters: options.reporters ?? [],
    project,
  }
  try {
    const { summary, exitCode, broken } = await suiteSetup.use(start, (ready) =>
      play(ready, options, [collector.reporter, ...tellResults(options.onResult, collector.played)]),
    )
    return {
      summary: summarizeRun(summary, cases.length, collector.scores()),
      results: collector.results(),
      // A report that is missing must not go unnoticed.
      exitCode: broken.length > 0 && exitCode === 0 ? 3 : exitCode,
      brokenReporters: broken,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      ...(settings.agentDescription !== undefined && { agentDescription: settings.agentDescription }),
    }
  } finally {
    stop.release()
  }
}

function play(
  ready: OpenedBy<typeof suiteSetup>,
  options: EvalRunOptions,
  insiders: readonly Reporter[],
): Promise<RunOutcome> {
  return run({
    plan: ready.plan,
    source: ready.source.cases,
    stage: {
      ...suiteStage(ready.agents, milliseconds(options.timeout ?? standardTimeout, 'run')),
      ...defined({ services: ready.borrowed?.services }),
    },
    store: ready.journal,
    reporters: [...ready.reporters, ...ready.outputs.reporters],
    insiders,
    redact: ready.secrets.redact,
    // A reset would take the state from under the other cases.
    limit: fixedLimit(ready.borrowed?.services.oneAtATime ? 1 : (options.concurrency ?? 1)),
    failFast: options.stopOnFirstFailure ?? false,
    retries: options.retries ?? 0,
    runs: ready.settings.runs,
    maxInfrastructureErrors: 0,
    signal: ready.signal,
  })
}

/** Listens to the run, and makes of its results what the caller gets. */
function collect(source: SuiteSource, keepResults: boolean, redact: () => Redactor) {
  const plays = new Map<string, PlayedResult<unknown, unknown>[]>()
  const scores = { sum: 0, count: 0 }
  const played = (result: CaseResult) => {
    const { id } = result.key
    const testCase = source.testCase(id)
    if (testCase === undefined) throw new Error(`there is no case ${id}`)
    return playedResult(result, testCase, redact())
  }
  const reporter: Reporter = {
    name: 'the results',
    events: ['case_finished'],
    on(event) {
      if (event.type !== 'case_finished' || event.result.retrying) return
      const result = played(event.result)
      if (result.score !== undefined) {
        scores.sum += result.score
        scores.count += 1
      }
      if (!keepResults) return
      const { id } = event.result.key
      const own = plays.get(id)
      if (own) own.push(result)
      else plays.set(id, [result])
    },
  }
  return {
    reporter,
    played,
    scores: () => scores,
    results: (): EvalTestResult<unknown, unknown>[] =>
      [...source.entries()].flatMap(({ id }) => combineIterations(plays.get(id) ?? []) ?? []),
  }
}

/** Apart from what is collected: what the caller's code throws loses no result. */
function tellResults(
  onResult: EvalRunOptions['onResult'],
  played: (result: CaseResult) => PlayedResult<unknown, unknown>,
): Reporter[] {
  if (onResult === undefined) return []
  const on: Reporter['on'] = (event) => {
    if (event.type === 'case_finished' && !event.result.retrying) return onResult(played(event.result))
    return undefined
  }
  return [{ name: 'onResult', events: ['case_finished'], on }]
}
