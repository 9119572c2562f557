import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import type { Redact } from '../privacy/redact.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { CaseResult } from '../results/result.ts'
import { run } from '../run/run.ts'
import { suiteName } from '../scripts/protocol/suite-name.ts'
import { type EvalAgent, engineAgent } from './agent.ts'
import { type AnyTestCase, type CaseSettings, milliseconds } from './compile-case.ts'
import { together } from './iterations.ts'
import type { Judge } from './judge.ts'
import { memoryStore } from './memory-store.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { playableSuite } from './playable-suite.ts'
import { type EvalReport, summaryOf } from './report.ts'
import { type EvalTestResult, type PlayedResult, playedResult } from './results.ts'
import { hideSecrets } from './secrets.ts'
import { suiteOutputs } from './suite-outputs.ts'
import { type SuiteSource, suiteSource } from './suite-source.ts'
import { followSignal, suiteStage } from './suite-stage.ts'
import type { TestCase } from './test-case.ts'

/** An agent, or a function that makes a fresh one for every case and iteration. */
export type EvalSuiteConfig<Input, Output> = {
  judge?: Judge | undefined
  /** What the agent is for: judges are told. */
  agentDescription?: string | undefined
} & (
  | { agent: EvalAgent<Input, Output>; createAgent?: undefined }
  | { createAgent: () => EvalAgent<Input, Output> | Promise<EvalAgent<Input, Output>>; agent?: undefined }
)

export interface EvalRunOptions<Input = unknown, Output = unknown> {
  /** How many are played at once; default 1. */
  concurrency?: number | undefined
  /** How often each case is played; default 1. */
  iterations?: number | undefined
  stopOnFirstFailure?: boolean | undefined
  signal?: AbortSignal | undefined
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

export interface EvalSuite<Input, Output> {
  run(
    cases: Iterable<TestCase<Input, Output>>,
    options?: EvalRunOptions<Input, Output>,
  ): Promise<EvalReport<Input, Output>>
  /** The same suite with another agent. */
  withAgent(agent: EvalAgent<Input, Output>): EvalSuite<Input, Output>
}

const suiteConfig = lazySchema(() => {
  const hasMethod = (name: string) => (value: unknown) => typeof Object(value)[name] === 'function'
  return z
    .strictObject({
      agent: z.custom(hasMethod('execute'), 'has no execute(input, context)').optional(),
      createAgent: fields.callable().optional(),
      judge: z
        .custom(hasMethod('evaluate'), 'has no evaluate(context): make one with createJudge')
        .optional(),
      agentDescription: z.string().optional(),
    })
    .refine(
      ({ agent, createAgent }) => (agent === undefined) !== (createAgent === undefined),
      'needs either `agent` or `createAgent`',
    )
})

const runOptions = lazySchema(() => {
  const flag = z.boolean().optional()
  return z.strictObject({
    concurrency: fields.wholeNumber(1).optional(),
    iterations: fields.wholeNumber(1).optional(),
    stopOnFirstFailure: flag,
    signal: z.unknown().optional(),
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

export function createEvalSuite<Input, Output>(
  config: EvalSuiteConfig<Input, Output>,
): EvalSuite<Input, Output> {
  checkOptions(suiteConfig, config, 'createEvalSuite')
  const { agent, createAgent, judge, agentDescription } = config
  const create = createAgent ?? (() => agent)
  const name = agent?.name ?? 'agent'
  const settings: CaseSettings = {
    ...(judge && { judge }),
    ...(agentDescription !== undefined && { agentDescription }),
  }
  const tested = engineAgent(name, create as Parameters<typeof engineAgent>[1])
  const suite: EvalSuite<Input, Output> = {
    withAgent: (other) => createEvalSuite({ agent: other, judge, agentDescription }),
    async run(cases, options = {}) {
      if (typeof cases?.[Symbol.iterator] !== 'function')
        throw new ConfigError({ code: 'no_cases', message: 'run() needs a list of test cases' })
      const given = { cases: [...cases] as AnyTestCase[], options: options as EvalRunOptions }
      const report = await play({ ...given, agent: tested, settings })
      // The values are the caller's own, which the engine passes on as they are.
      return report as EvalReport<Input, Output>
    },
  }
  return Object.assign(suite, { [suiteName]: playableSuite(tested, settings) })
}

interface Playing {
  cases: readonly AnyTestCase[]
  options: EvalRunOptions
  agent: ReturnType<typeof engineAgent>
  settings: CaseSettings
}

async function play({ cases, options, agent, settings }: Playing): Promise<EvalReport> {
  checkOptions(runOptions, options, 'run')
  const {
    concurrency: parallel = 1,
    iterations: runs = 1,
    retries = 0,
    keepResults = true,
    reporters = [],
  } = options
  const timeoutMs = milliseconds(options.timeout ?? standardTimeout, 'run')
  const source = suiteSource(cases, settings)
  const outputs = suiteOutputs(options.output)
  const redact = hideSecrets()
  const collector = collect(source, keepResults, redact)
  const startedAt = new Date()
  const stop = followSignal(options.signal)
  try {
    const { summary, exitCode, broken } = await run({
      source,
      selection: { tags: [], requireChecks: options.requireChecks ?? false },
      stage: suiteStage(agent, timeoutMs),
      parallel,
      failFast: options.stopOnFirstFailure ?? false,
      retries,
      signal: stop.signal,
      maxInfrastructureErrors: 0,
      runs,
      prepare: async () => {},
      afterPlay: async () => undefined,
      openStore: async (plan) =>
        outputs.openStore() ?? memoryStore(plan, reporters.length + outputs.reporters.length > 0),
      reporters: () => [...reporters, ...outputs.reporters],
      insiders: [collector.reporter, ...tellResults(options.onResult, collector.played)],
      redact,
    })
    return {
      summary: summaryOf(summary, cases.length, collector.scores()),
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

/** Listens to the run, and makes of its results what the caller gets. */
function collect(source: SuiteSource, keepResults: boolean, redact: () => Redact) {
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
      [...source.entries()].flatMap(({ id }) => together(plays.get(id) ?? []) ?? []),
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
  return [{ name: 'onResult', on }]
}
