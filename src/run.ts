import { createHash } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { CaseEntry, CaseSource, Job } from './cases/entry.ts'
import { compileSelection, type Selection } from './cases/select.ts'
import { defined } from './defined.ts'
import { ConfigError, InterruptedError, type Problem } from './errors.ts'
import { type BrokenReporter, createAnnouncer } from './reporters/announce.ts'
import type { Reporter } from './reporters/reporter.ts'
import { type Journal, tallyJournal } from './results/journal.ts'
import { keyText } from './results/key.ts'
import type { CaseResult } from './results/result.ts'
import type { RunSummary } from './results/summary.ts'
import { exitCodeOf, Tally } from './results/tally.ts'
import { notRun, playJob, type Stage } from './schedule/play-job.ts'
import { workThrough } from './schedule/pool.ts'
import type { Redact } from './scope/redact.ts'
import { schemaVersion, version } from './version.ts'

export interface RunOptions {
  source: CaseSource
  selection: Selection
  stage: Omit<Stage, 'emit' | 'source'>
  variant: string
  connector?: string
  parallel: number
  failFast: boolean
  /** Every selected case must check something. */
  requireChecks: boolean
  /** Results of an interrupted run that count; their cases are not played again. */
  finished: ReadonlyMap<string, CaseResult>
  openJournal(): Promise<Journal>
  reporters(journal: Journal): readonly Reporter[]
  redact(): Redact
  /** Aborted from outside with the exit code of the signal as its reason. */
  signal: AbortSignal
}

export interface RunOutcome {
  summary: RunSummary
  exitCode: number
  journalPath: string
  broken: BrokenReporter[]
}

/** A run: collect → select → play → report. */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const entries = await collect(options.source)
  const jobs = makeJobs(select(entries, options), options)
  const journal = await options.openJournal()
  const announcer = createAnnouncer(journal, options.reporters(journal), options.redact())
  const started = performance.now()
  try {
    announcer.emit({ type: 'run_started', start: describeStart(jobs, options) })
    await play(jobs, options, announcer.emit)
    const summary = await summarise(journal, jobs, performance.now() - started)
    const exitCode = exitCodeOf(summary)
    announcer.emit({ type: 'run_finished', summary, exitCode })
    const broken = await announcer.finish()
    return { summary, exitCode, journalPath: journal.path, broken }
  } finally {
    journal.close()
  }
}

/** The first pass: every case is validated, and all that is wrong is told at once. */
export async function collect(source: CaseSource): Promise<CaseEntry[]> {
  const entries: CaseEntry[] = []
  const problems: Problem[] = []
  for await (const item of source.index()) {
    if ('code' in item) problems.push(item)
    else entries.push(item)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  if (entries.length === 0)
    throw new ConfigError({ code: 'no_cases', message: `no cases in ${source.label}` })
  return entries
}

export function select(
  entries: readonly CaseEntry[],
  { selection, requireChecks }: Pick<RunOptions, 'selection' | 'requireChecks'>,
): CaseEntry[] {
  const selected = entries.filter(compileSelection(selection))
  if (selected.length === 0) {
    throw new ConfigError({
      code: 'none_selected',
      message: `none of the ${entries.length} cases matches the filter`,
    })
  }
  const unchecked = requireChecks ? selected.filter((entry) => entry.unchecked) : []
  if (unchecked.length > 0) {
    throw new ConfigError(
      unchecked.map(({ file, line, id }) => ({
        code: 'unchecked',
        message: 'checks nothing (--require-checks)',
        file,
        line,
        id,
      })),
    )
  }
  return selected
}

function makeJobs(entries: readonly CaseEntry[], { variant }: RunOptions): Job[] {
  const hash = createHash('sha256')
  for (const entry of entries) hash.update(`${JSON.stringify([entry.id, entry.hash])}\n`)
  const planHash = hash.digest('hex').slice(0, 16)
  return entries.map((entry) => ({ planHash, entries: [entry], variant, run: 1, attempt: 1 }))
}

function describeStart(jobs: readonly Job[], { stage, variant, connector, finished }: RunOptions) {
  const { identity } = stage
  return {
    schemaVersion,
    vivaVersion: version,
    timestamp: new Date().toISOString(),
    planHash: jobs[0]?.planHash ?? '',
    totalCases: jobs.length,
    agentId: stage.agent.id,
    ...defined({ connector, resumed: finished.size || undefined }),
    variants: [variant],
    runs: 1,
    environment: {
      userId: identity.file.authorized?.user_id ?? identity.user ?? 'test-user',
      teamId: identity.file.authorized?.team_id ?? identity.team ?? 'test-team',
      locale: identity.file.locale ?? identity.locale ?? 'en-us',
    },
  }
}

/** The second pass. A stop from outside or `--fail-fast` aborts what is running; the rest is recorded as not run. */
async function play(jobs: readonly Job[], options: RunOptions, emit: Stage['emit']): Promise<void> {
  const stop = new AbortController()
  // Every case in flight listens to it.
  setMaxListeners(0, stop.signal)
  const follow = () => stop.abort(new InterruptedError('interrupted'))
  if (options.signal.aborted) follow()
  else options.signal.addEventListener('abort', follow, { once: true })

  const stage: Stage = { ...options.stage, source: options.source, emit }
  const isFinished = (job: Job) =>
    job.entries.every((entry) => options.finished.get(keyText(keyOf(entry, job)))?.caseHash === entry.hash)
  const open = jobs.filter((job) => !isFinished(job))
  const left = await workThrough(open, options.parallel, stop.signal, async (job) => {
    for await (const result of playJob(job, stage, stop.signal)) {
      emit({ type: 'case_finished', result })
      if (options.failFast && result.status === 'failed')
        stop.abort(new InterruptedError('stopped by --fail-fast'))
    }
  })
  for (const job of left) {
    const why = stop.signal.reason instanceof Error ? stop.signal.reason.message : 'stopped'
    for (const entry of job.entries) emit({ type: 'case_finished', result: notRun(entry, job, why) })
  }
  options.signal.removeEventListener('abort', follow)
}

/** Counted from the file, not from memory: what is not on disk did not happen. */
async function summarise(journal: Journal, jobs: readonly Job[], durationMs: number): Promise<RunSummary> {
  const tally = new Tally(
    jobs.flatMap((job) =>
      job.entries.map((entry): [string, string] => [keyText(keyOf(entry, job)), entry.hash]),
    ),
  )
  await tallyJournal(journal.path, tally)
  return tally.summary(durationMs)
}

function keyOf(entry: CaseEntry, { variant, run, attempt }: Job) {
  return { file: entry.file, id: entry.id, variant, run, attempt }
}
