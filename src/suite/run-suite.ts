import { defined } from '../json/defined.ts'
import type { Redactor } from '../privacy/redact.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunOrigin } from '../results/summary.ts'
import { missingResults } from '../results/tally.ts'
import { fixedLimit } from '../run/queue/concurrency-limit.ts'
import { type RunOutcome, run } from '../run/run.ts'
import type { OpenedBy } from '../setup/phase.ts'
import { replayOrigin } from '../setup/phases/settings.ts'
import type { engineAgent } from './agent.ts'
import { type AnyTestCase, milliseconds, type SuiteCaseSettings } from './compile-case.ts'
import { comparedPart, keepForBaseline } from './earlier-report.ts'
import { combineIterations } from './iterations.ts'
import type { OpenProject } from './project.ts'
import { type EvalReport, summarizeRun } from './report.ts'
import { type EvalTestResult, type PlayedResult, playedResult } from './results.ts'
import { type EvalRunOptions, readRunOptions, type SuiteSettings } from './run-options.ts'
import { hideSecrets } from './secrets.ts'
import { suiteOutputs } from './suite-outputs.ts'
import { type SuiteStart, suiteSetup } from './suite-phases.ts'
import { type SuiteSource, testCaseSource } from './suite-source.ts'
import { followSignal, suiteStage } from './suite-stage.ts'

const standardTimeout = '2m'

export interface SuiteRun {
  cases: readonly AnyTestCase[]
  options: EvalRunOptions
  agent: ReturnType<typeof engineAgent>
  settings: SuiteCaseSettings
}

/** Plays the cases of a suite with the engine of the command. */
export async function runSuite({ cases, options, agent, settings }: SuiteRun): Promise<EvalReport> {
  const asked = readRunOptions(options)
  const notices: string[] = []
  const source = testCaseSource(cases, settings)
  const project = options.project as OpenProject | undefined
  const redact = hideSecrets()
  const collector = collect(source, options.keepResults ?? true, redact)
  const startedAt = new Date()
  const stop = followSignal(options.signal)
  const start: SuiteStart = {
    signal: stop.signal,
    settings: asked,
    baselineRun: options.baseline,
    warn: (text) => void notices.push(text),
    source: { cases: source, generated: [], testHosts: [] },
    chosen: { selection: { tags: [], requireChecks: options.requireChecks ?? false } },
    agents: new Map([[agent.id, agent]]),
    secrets: { redact },
    outputs: suiteOutputs(options.output),
    reporters: options.reporters ?? [],
    project,
  }
  try {
    const insiders = [collector.reporter, ...tellResults(options.onResult, collector.played)]
    const { summary, exitCode, broken } = await suiteSetup.use(start, async (ready) => {
      const outcome = await play(ready, options, insiders)
      notices.push(...(ready.recording?.notices() ?? []))
      return outcome
    })
    const report: EvalReport = {
      summary: summarizeRun(summary, cases.length, collector.scores()),
      results: collector.results(),
      // A report that is missing must not go unnoticed.
      exitCode: broken.length > 0 && exitCode === 0 ? 3 : exitCode,
      brokenReporters: broken,
      notices,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      ...(settings.agentDescription !== undefined && { agentDescription: settings.agentDescription }),
    }
    if (options.keepResults !== false)
      keepForBaseline(report, {
        start: defined({ gates: asked.gates, origin: originOf(asked) }),
        missing: missingResults(summary),
        results: collector.compared,
      })
    return report
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
      ...defined({ services: ready.borrowed?.services, tapes: ready.recording?.tapes }),
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
    budget: ready.settings.budget,
    maxInfrastructureErrors: 0,
    signal: ready.signal,
    ...defined({
      gates: ready.settings.gates,
      baseline: ready.baseline,
      origin: originOf(ready.settings),
    }),
  })
}

function originOf({ replay }: SuiteSettings): RunOrigin | undefined {
  return replay && replayOrigin(replay)
}

/** Listens to the run, and makes of its results what the caller gets. */
function collect(source: SuiteSource, keepResults: boolean, redact: () => Redactor) {
  const plays = new Map<string, PlayedResult<unknown, unknown>[]>()
  const scores = { sum: 0, count: 0 }
  const compared: CaseResult[] = []
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
      compared.push(comparedPart(event.result))
      const { id } = event.result.key
      const own = plays.get(id)
      if (own) own.push(result)
      else plays.set(id, [result])
    },
  }
  return {
    reporter,
    played,
    compared,
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
