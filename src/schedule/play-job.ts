import type { Agent, Session } from '../agents/agent.ts'
import type { Case, CaseEntry, CaseSource, Job } from '../cases/entry.ts'
import type { Plan } from '../conversation/plan.ts'
import { type Conversation, converse, neverBegan } from '../conversation/play.ts'
import { judge, type Verdict } from '../conversation/verdict.ts'
import { defined } from '../defined.ts'
import { InterruptedError, messageOf, WorldError } from '../errors.ts'
import type { Key } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../run-event.ts'
import { CaseScope } from '../scope/case-scope.ts'
import type { Context } from '../scope/context.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { RetryPolicy } from '../scope/retry.ts'
import type { Scope } from '../scope/scope.ts'
import { contextFor, type Identity } from './identity.ts'
import { keyOf } from './jobs.ts'

/** What every job of a run is played with. */
export interface Stage {
  source: CaseSource
  agent: Agent
  identity: Identity
  timeoutMs: number
  retry: RetryPolicy
  /** Makes the world around the agent as it was, before each case. Throws `WorldError`. */
  beforeCase?(scope: Scope): Promise<void>
  emit(event: RunEvent): void
}

/** Plays the cases of a job, one result each. Whatever breaks in one is its result, never the run's end. */
export async function* playJob(job: Job, stage: Stage, signal: AbortSignal): AsyncGenerator<CaseResult> {
  for (const entry of job.entries) {
    const key = keyOf(entry, job)
    stage.emit({ type: 'case_started', key, ...defined({ name: entry.name }) })
    yield await playCase(entry, key, stage, signal)
  }
}

async function playCase(entry: CaseEntry, key: Key, stage: Stage, signal: AbortSignal): Promise<CaseResult> {
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

    ...defined({ expected: played.expected }),
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
  const timeoutMs = played.timeoutMs ?? stage.timeoutMs
  const scope = CaseScope.open({ key, timeoutMs, signal, retry: stage.retry, emit: stage.emit })
  try {
    const { sessionId, conversation, verdict } = await hold(played, key, stage, scope)
    const { view, termination, finals, unevaluated } = conversation
    const told = {
      sessionId,
      view,
      termination,
      finals,
      unevaluated,
      usage: scope.usage,
      logs: [...scope.logs],
    }
    return finish({ ...shown, ...told, ...verdict })
  } catch (error) {
    return finish({ ...shown, ...brokenOff(error), usage: scope.usage, logs: [...scope.logs] })
  } finally {
    scope.close()
  }
}

async function hold(
  played: Case,
  key: Key,
  stage: Stage,
  scope: CaseScope,
): Promise<{ sessionId: string; conversation: Conversation; verdict: Verdict }> {
  await stage.beforeCase?.(scope)
  const context = contextFor(stage.identity, played)
  const plan = withMetadata(played, stage.identity, key)
  const conversation = await holdWith(plan, context, key, stage, scope)
  return { sessionId: context.sessionId, conversation, verdict: judge(conversation, plan) }
}

async function holdWith(
  plan: Plan,
  context: Context,
  key: Key,
  stage: Stage,
  scope: CaseScope,
): Promise<Conversation> {
  let session: Session
  try {
    session = await untilAborted(stage.agent.open(scope, context), scope.signal)
  } catch (error) {
    return neverBegan(plan, error)
  }
  try {
    return await converse(plan, session, scope, (turn) => stage.emit({ type: 'turn', key, turn }))
  } finally {
    // A session that does not close well has no bearing on what the agent said.
    await session.close().catch((error: unknown) => scope.log(`closing the session: ${messageOf(error)}`))
  }
}

/** Later wins: the `--ctx` file, the case, its options, the turn's options, and what the test itself says. */
function withMetadata(played: Case, identity: Identity, key: Key): Plan {
  const { plan } = played
  const own = plan.options.metadata as Record<string, unknown> | undefined
  return {
    ...plan,
    options: { ...plan.options, metadata: { ...identity.file.metadata, ...played.metadata, ...own } },
    testMetadata: { test_id: key.id },
  }
}

function brokenOff(error: unknown): Partial<CaseResult> & Pick<CaseResult, 'status' | 'termination'> {
  if (error instanceof InterruptedError) {
    return { status: 'interrupted', termination: { reason: 'interrupted', detail: error.message } }
  }
  const message = error instanceof WorldError ? error.message : `internal error: ${messageOf(error)}`
  return {
    status: 'failed',
    fault: error instanceof WorldError ? 'world' : 'viva',
    failure: { kind: error instanceof WorldError ? error.kind : 'internal', message },
    termination: { reason: 'internal', detail: message },
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
