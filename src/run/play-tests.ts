import type { CaseEntry, Job, ScriptCase } from '../cases/entry.ts'
import { errorMessage, type InfrastructureError } from '../errors.ts'
import type { CaseResult } from '../results/result.ts'
import { awakeClock } from '../scope/awake-clock.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { CasePlay } from '../scope/play.ts'
import type { PlayTape } from '../scope/tape.ts'
import { toWireContext } from '../scripts/protocol/context-data.ts'
import type { FailureReason, TestReport } from '../scripts/protocol/report.ts'
import type { TestListener } from '../scripts/runner/test-round.ts'
import { emptyResult, resultFromError } from './empty-result.ts'
import { buildContext } from './identity.ts'
import { resultKey } from './jobs.ts'
import { excuseTest } from './missing-service.ts'
import type { OnResult, Stage } from './stage.ts'
import { createTestResult, failedResult } from './test-result.ts'

/** Plays the tests of a script file in its own process. Each test has its own result. */
export async function playTests(
  job: Job,
  stage: Stage,
  signal: AbortSignal,
  onResult: OnResult,
): Promise<void> {
  const playing = new TestsPlaying(job, stage, onResult)
  try {
    const { tests, agentId, root } = await loadScript(job, stage)
    playing.root = root
    const context = buildContext(stage.identity, { agentId })
    playing.agentId = agentId
    await tests.run(
      job.entries.map(({ id }) => id),
      { context: toWireContext(context), variables: context.variables },
      playing.listener(signal),
      signal,
    )
  } catch (error) {
    playing.stopped(error)
  }
}

async function loadScript({ entries: [first] }: Job, { source }: Stage): Promise<ScriptCase> {
  if (first === undefined) throw new Error('a job without cases')
  const loaded = await source.load(first)
  if (loaded.kind !== 'script') throw new Error(`${first.id} is not a script test`)
  return loaded
}

/** The state of a job of script tests while they run. */
class TestsPlaying {
  readonly #job: Job
  readonly #stage: Stage
  readonly #onResult: OnResult
  readonly #results = new Map<string, CaseResult>()
  /** The scope of the test or function that is running. */
  #scope: CaseScope | undefined
  #play: CasePlay | undefined
  #tape: PlayTape | undefined
  #isStopped = false
  #started = 0
  readonly #phaseLogs: string[] = []
  /** How many logs of the running phase are kept already. */
  #keptLogs = 0
  #current: CaseEntry | undefined
  /** Services that were missing in the functions around the tests: the tests depend on what these set up. */
  #missingBefore: readonly InfrastructureError[] = []
  agentId = ''
  root = ''

  constructor(job: Job, stage: Stage, onResult: OnResult) {
    this.#job = job
    this.#stage = stage
    this.#onResult = onResult
  }

  listener(signal: AbortSignal): TestListener {
    return {
      begin: (name, sessionId) => this.#begin(name, sessionId, signal),
      testFinished: (name, report) => this.#finished(name, report),
      testFailed: (name, reason) => this.#failed(name, reason),
      end: () => this.#end(),
    }
  }

  /** Called when the run was stopped, or something failed that is not the fault of the tests. */
  stopped(error: unknown): void {
    this.#isStopped = true
    for (const entry of this.#job.entries) {
      if (this.#results.has(entry.id)) continue
      const base = this.#base(entry)
      const broken = resultFromError(error)
      const never = entry !== this.#current && broken.status === 'interrupted'
      this.#report(entry, {
        ...base,
        ...(never
          ? { status: 'not_run' as const, termination: { reason: 'not_run', detail: errorMessage(error) } }
          : broken),
      })
    }
    this.#end()
  }

  #begin(name: string, sessionId: string, signal: AbortSignal): CaseScope {
    const entry = this.#entry(name)
    const key = resultKey(entry ?? { ...this.#firstEntry(), id: name }, this.#job)
    if (entry !== undefined) this.#stage.emit({ type: 'case_started', key })
    const { identity, testTimeoutMs: timeoutMs, retry, targets, emit } = this.#stage
    this.#play = new CasePlay()
    this.#tape = this.#stage.tapes?.open(key)
    const own = {
      sessionId: this.#tape?.session(sessionId) ?? sessionId,
      play: this.#play,
      missing: [...this.#missingBefore],
    }
    const context = { ...buildContext(identity, { agentId: this.agentId }), ...own }
    this.#current = entry
    this.#keptLogs = 0
    this.#started = awakeClock.now()
    const tape = this.#tape
    this.#scope = CaseScope.open({ key, context, timeoutMs, signal, retry, targets, tape, emit })
    return this.#scope
  }

  #finished(name: string, report: TestReport): void {
    const entry = this.#entry(name)
    if (entry === undefined) return
    const { requireChecks } = this.#stage
    const judged = this.#scope === undefined ? report : excuseTest(report, this.#scope.context)
    this.#report(entry, createTestResult(judged, this.#base(entry), { root: this.root, requireChecks }))
  }

  #failed(name: string, reason: FailureReason): void {
    const entry = this.#entry(name)
    if (entry === undefined) return
    const earlier = this.#results.get(name)
    this.#keepPhaseLogs()
    // Its usage was reported with the earlier result.
    const base = earlier === undefined ? this.#base(entry) : { ...earlier, usage: {} }
    this.#report(entry, failedResult(reason, base, this.root))
  }

  #end(): void {
    this.#keepPhaseLogs()
    if (this.#current === undefined) this.#missingBefore = this.#scope?.context.missing ?? this.#missingBefore
    this.#scope?.close()
    this.#scope = undefined
    this.#play?.end()
    this.#play = undefined
    this.#tape?.close({ isComplete: !this.#isStopped })
    this.#tape = undefined
    this.#current = undefined
  }

  /** What the functions around the tests print is added to the next result. */
  #keepPhaseLogs(): void {
    if (this.#current !== undefined) return
    const logs = this.#scope?.logs ?? []
    this.#phaseLogs.push(...logs.slice(this.#keptLogs))
    this.#keptLogs = logs.length
  }

  #report(entry: CaseEntry, finished: CaseResult): void {
    const result = { ...finished, logs: [...this.#phaseLogs.splice(0), ...finished.logs] }
    this.#results.set(entry.id, result)
    this.#onResult(result, entry)
  }

  /** The result of a test with what is known so far. */
  #base(entry: CaseEntry): CaseResult {
    const base = {
      ...emptyResult(entry, resultKey(entry, this.#job)),
      script: { assertions: 0, subtests: [] },
    }
    if (entry !== this.#current || this.#scope === undefined) return base
    const { usage, logs, context } = this.#scope
    const durationMs = awakeClock.now() - this.#started
    return { ...base, usage, logs: [...logs], sessionId: context.sessionId, durationMs }
  }

  #entry(name: string): CaseEntry | undefined {
    return this.#job.entries.find(({ id }) => id === name)
  }

  #firstEntry(): CaseEntry {
    const [first] = this.#job.entries
    if (first === undefined) throw new Error('a job without cases')
    return first
  }
}
