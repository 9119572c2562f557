import type { Agent, Session } from '../agents/agent.ts'
import type { DetectAwaiting } from '../awaiting/awaiting.ts'
import type { Case, CaseEntry, CaseSource, Job } from '../cases/entry.ts'
import { brokenBy } from '../conversation/broken.ts'
import type { Plan } from '../conversation/plan.ts'
import { type Conversation, converse, neverBegan } from '../conversation/play.ts'
import { judge } from '../conversation/verdict.ts'
import { defined } from '../defined.ts'
import { messageOf, WorldError } from '../errors.ts'
import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../run-event.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { RetryPolicy } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'
import type { Turn } from '../transcript/turn.ts'
import { contextFor, type Identity } from './identity.ts'
import { keyOf } from './jobs.ts'

/** What every job of a run is played with. */
export interface Stage {
  source: CaseSource
  /** By variant. */
  agents: ReadonlyMap<string, Agent>
  identity: Identity
  timeoutMs: number
  retry: RetryPolicy
  /** Of the first run of a case; each further run has the next one. */
  seed?: number
  /** Absent: the built-in rules. */
  detectAwaiting?: DetectAwaiting
  /** Makes the world around the agent as it was, before each case. Throws `WorldError`. */
  beforeCase?(scope: Scope): Promise<void>
  emit(event: RunEvent): void
}

/** Plays the cases of a job, one result each. Whatever breaks in one is its result, never the run's end. */
export async function* playJob(job: Job, stage: Stage, signal: AbortSignal): AsyncGenerator<CaseResult> {
  const agent = stage.agents.get(job.variant)
  if (agent === undefined) throw new Error(`no agent for ${job.variant}`)
  for (const entry of job.entries) {
    const key = keyOf(entry, job)
    stage.emit({ type: 'case_started', key, ...defined({ name: entry.name }) })
    yield await playCase(entry, key, agent, stage, signal)
  }
}

async function playCase(
  entry: CaseEntry,
  key: Key,
  agent: Agent,
  stage: Stage,
  signal: AbortSignal,
): Promise<CaseResult> {
  const base = emptyResult(entry, key)
  const started = performance.now()
  const finish = (rest: Partial<CaseResult>): CaseResult => ({
    ...base,
    ...rest,
    durationMs: performance.now() - started,
  })
  let played: Case
  try {
    played = await stage.source.load(entry)
  } catch (error) {
    return finish(brokenOff(error))
  }
  const shown = {
    singleTurn: played.plan.singleTurn,

    ...defined({ expected: played.expected, expectedFailure: played.expectedFailure }),
  }
  if (played.skip !== undefined) {
    const termination = { reason: 'skipped', detail: played.skip } as const
    return finish({
      ...shown,
      status: 'skipped',
      termination,
      failure: { kind: 'skipped', message: played.skip },
    })
  }
  const context = contextFor(stage.identity, played)
  const timeoutMs = played.timeoutMs ?? stage.timeoutMs
  const scope = CaseScope.open({ key, context, timeoutMs, signal, retry: stage.retry, emit: stage.emit })
  try {
    await stage.beforeCase?.(scope)
    const plan = planFor(played, stage, key)
    const conversation = await hold(plan, agent, scope, (turn) => stage.emit({ type: 'turn', key, turn }))
    const { view, termination, checkpoints, finals, unevaluated } = conversation
    const verdict = judge(conversation, plan)
    return finish({
      ...shown,
      ...verdict,
      unchecked: base.unchecked || (verdict.status === 'passed' && !wasChecked(conversation)),
      sessionId: context.sessionId,
      view,
      termination,
      checkpoints,
      finals,
      unevaluated,
      usage: scope.usage,
      logs: [...scope.logs],
    })
  } catch (error) {
    return finish({ ...shown, ...brokenOff(error), usage: scope.usage, logs: [...scope.logs] })
  } finally {
    scope.close()
  }
}

/** A session that does not close is not waited for: it has no bearing on what the agent said. */
const closeTimeoutMs = 2000

async function hold(
  plan: Plan,
  agent: Agent,
  scope: CaseScope,
  onTurn: (turn: Turn) => void,
): Promise<Conversation> {
  const opening = agent.open(scope)
  let session: Session
  try {
    session = await untilAborted(opening, scope.signal)
  } catch (error) {
    // One that opens too late is closed all the same.
    opening.then((late) => late.close()).catch(() => {})
    return neverBegan(plan, error)
  }
  try {
    return await converse(plan, session, scope, onTurn)
  } finally {
    await untilAborted(session.close(), AbortSignal.timeout(closeTimeoutMs)).catch((error: unknown) =>
      scope.log(`closing the session: ${messageOf(error)}`),
    )
  }
}

/** Whether anything that was written down to be checked was. */
function wasChecked({ view, finals, checkpoints }: Conversation): boolean {
  const checks = [...view.turns.flatMap((turn) => turn.checks), ...finals]
  return checks.some(({ gates }) => gates) || checkpoints.some(({ status }) => status !== 'waiting')
}

/**
 * The plan with what the command line and the project add. Of the metadata later wins: the `--ctx` file, the case,
 * its options; then the turn's options, and what the test itself says.
 */
function planFor({ plan, metadata }: Case, { identity, seed, detectAwaiting }: Stage, { run }: Key): Plan {
  const own = plan.options.metadata as Record<string, unknown> | undefined
  const options = {
    ...plan.options,
    metadata: { ...identity.file.metadata, ...metadata, ...own },
    ...(seed === undefined ? {} : { seed: seed + run - 1 }),
  }
  return { ...plan, options, ...defined({ detectAwaiting }) }
}

function brokenOff(error: unknown): Partial<CaseResult> & Pick<CaseResult, 'status' | 'termination'> {
  const termination = brokenBy(error)
  if (termination.reason === 'interrupted') return { status: 'interrupted', termination }
  const world = termination.reason !== 'internal'
  const kind = error instanceof WorldError ? error.kind : world ? termination.reason : 'internal'
  return {
    status: 'failed',
    fault: world ? 'world' : 'viva',
    failure: { kind, message: termination.detail },
    termination,
  }
}

function emptyResult(entry: CaseEntry, key: Key): CaseResult {
  return {
    key,
    caseHash: entry.hash,
    ...defined({ name: entry.name }),
    tags: entry.tags,
    line: entry.line,
    status: 'not_run',
    termination: { reason: 'not_run', detail: '' },
    singleTurn: true,
    view: { history: [], turns: [] },
    finals: [],
    unevaluated: [],
    checkpoints: [],
    unchecked: entry.unchecked ?? false,
    logs: [],
    sessionId: '',
    usage: {},
    startedAt: new Date().toISOString(),
    durationMs: 0,
  }
}

/** The records of cases that the run was stopped before. */
export function notRun(job: Job, why: unknown): CaseResult[] {
  const termination = { reason: 'not_run', detail: messageOf(why) } as const
  return job.entries.map((entry) => ({ ...emptyResult(entry, keyOf(entry, job)), termination }))
}
