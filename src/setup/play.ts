import { createAwaitingDetector } from '../conversation/awaiting/awaiting.ts'
import { defined } from '../json/defined.ts'
import type { Data } from '../results/transcript/message.ts'
import { AdaptiveLimit, maxAutoParallel } from '../run/queue/adaptive-limit.ts'
import { type ConcurrencyLimit, fixedLimit } from '../run/queue/concurrency-limit.ts'
import { type RunOptions, type RunOutcome, run } from '../run/run.ts'
import type { auditRunSetup } from './audit.ts'
import type { gradeRunSetup } from './grade.ts'
import type { OpenedBy } from './phase.ts'
import type { testRunSetup } from './phase-lists.ts'
import { isCaseFile } from './phases/history.ts'
import { isPrivate } from './phases/privacy.ts'

type Tested = OpenedBy<typeof testRunSetup>
type Graded = OpenedBy<typeof gradeRunSetup>
export type ReadyToPlay = Pick<Tested, keyof Tested & keyof OpenedBy<typeof auditRunSetup> & keyof Graded> & {
  chosen?: Tested['chosen']
  selected?: Tested['selected']
  recording?: Tested['recording']
  queue?: Tested['queue']
  grading?: Graded['grading']
  carried?: Tested['carried']
  fingerprints?: Tested['fingerprints']
  startedAt?: Tested['startedAt']
} & NothingToUse

/** Phases that give nothing to play with, but without which nothing may be played. */
interface NothingToUse {
  checked: unknown
  runningServices: unknown
  loaded: unknown
}

/** Plays what was set up. `command` is how the run was started, as a shell takes it. */
export async function play<Ready extends ReadyToPlay>(
  ready: Ready,
  command: string,
): Promise<Ready & { outcome: RunOutcome }> {
  const { services, terminal, settings } = ready
  if (services.oneAtATime && settings.parallel !== 1 && ready.queue === undefined)
    terminal.note('Services are reset before each case: one case at a time, whatever --parallel says')
  const outcome = await run(runOptions(ready, command))
  for (const trouble of await services.troubles(outcome.summary.infrastructureErrors > 0))
    terminal.complain(trouble)
  for (const notice of ready.recording?.notices(ready.privacy.redactLine) ?? []) terminal.complain(notice)
  return { ...ready, outcome }
}

function runOptions(ready: ReadyToPlay, command: string): RunOptions {
  const { settings, secrets, privacy, variants, outside, beforeAll, signal, recording, queue } = ready
  const connector = [...variants.values()].flatMap((resolved) => resolved.connector ?? []).join(', ')
  return {
    plan: ready.plan,
    source: ready.source.cases,
    stage: {
      ...createStage(ready, beforeAll.variables),
      ...defined({ tapes: recording?.tapes, conversations: ready.grading?.conversations }),
    },
    store: ready.journal,
    reporters: ready.reporters,
    redact: secrets.redact,
    command,
    limit: createLimit(ready),
    failFast: settings.failFast,
    retries: settings.retries,
    runs: settings.runs,
    budget: settings.budget,
    account: outside.account,
    maxInfrastructureErrors: settings.maxInfrastructureErrors,
    cleanUp: beforeAll,
    signal,
    ...defined({
      redactPrivate: isPrivate(settings) ? privacy.redactEvent : undefined,
      connector: connector || undefined,
      gates: settings.gates,
      resumed: ready.resumed,
      baseline: ready.baseline,
      order: ready.chosen?.order,
      shard: ready.selected?.shard,
      origin: ready.grading?.origin ?? settings.origin,
      player: queue,
      queueRun: queue?.run,
      carriedOver: ready.carried?.carriedOver,
      fingerprint: fingerprintWith(ready),
      filesChanged: watchFiles(ready),
    }),
  }
}

/** Cases that are in no file are not in the history, so that nothing of them could be carried over. */
function fingerprintWith({ fingerprints, inputs, secrets }: ReadyToPlay): RunOptions['fingerprint'] {
  return (
    fingerprints &&
    ((entry, variant) =>
      isCaseFile(entry.file, inputs, secrets.redact()) ? fingerprints.hash(entry, variant) : undefined)
  )
}

/** A shard is merged later, when nobody knows any more whether its files were changed while it ran. */
function watchFiles({ fingerprints, selected, startedAt }: ReadyToPlay): RunOptions['filesChanged'] {
  if (fingerprints === undefined || selected?.shard === undefined || startedAt === undefined) return undefined
  return () => fingerprints.madeOf(startedAt) === undefined
}

type StageNeeds = Pick<ReadyToPlay, 'agents' | 'outside' | 'settings' | 'project' | 'services'> & {
  recording?: Pick<NonNullable<ReadyToPlay['recording']>, 'isOffline'> | undefined
}

/** What all jobs of a run have in common. */
export function createStage(
  { agents, outside, settings, project, services, recording }: StageNeeds,
  variables: Data,
): RunOptions['stage'] {
  return {
    agents,
    identity: { ...outside.identity, variables },
    timeoutMs: settings.timeoutMs,
    testTimeoutMs: settings.testTimeoutMs,
    requireChecks: settings.selection.requireChecks,
    retry: settings.retry,
    detectAwaiting: createAwaitingDetector(project.config.awaiting),
    ...defined({
      seed: settings.seed,
      stubAll: settings.stubAll || undefined,
      services: recording?.isOffline ? undefined : project.config.services && services,
    }),
  }
}

type LimitNeeds = Pick<ReadyToPlay, 'app' | 'services' | 'variants'>

/** How many cases may run at once in one process, as its agents, tool servers and services allow. */
export function findMostAtOnce({ app, services, variants }: LimitNeeds): number {
  if (services.oneAtATime || app.sources.toolServers.oneAtATime()) return 1
  return Math.min(...[...variants.values()].flatMap(({ agent }) => agent.concurrency ?? []))
}

function createLimit(ready: ReadyToPlay): ConcurrencyLimit {
  const { app, services, settings, queue } = ready
  const isShared = app.sources.toolServers.oneAtATime()
  // Every worker has services of its own. A tool server that viva does not start is the same for all of them.
  if (queue !== undefined) return isShared ? fixedLimit(1) : queue.limit
  if (services.oneAtATime || isShared) return fixedLimit(1)
  const most = findMostAtOnce(ready)
  if (settings.parallel === 'auto') return new AdaptiveLimit(Math.min(maxAutoParallel, most))
  return fixedLimit(Math.min(settings.parallel, most))
}
