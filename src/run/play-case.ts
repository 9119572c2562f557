import type { Agent, Session } from '../agents/agent.ts'
import type { CaseEntry, ConversationCase } from '../cases/entry.ts'
import type { Plan } from '../conversation/plan.ts'
import {
  type Conversation,
  failedConversation,
  playConversation,
  type TurnListener,
} from '../conversation/play.ts'
import { wasChecked } from '../conversation/smoke.ts'
import { decideVerdict } from '../conversation/verdict.ts'
import { errorMessage, InfrastructureError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import type { Key } from '../results/key.ts'
import { resultToLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import type { Data } from '../results/transcript/message.ts'
import { addUsages } from '../results/usage.ts'
import { awakeClock } from '../scope/awake-clock.ts'
import { CaseScope } from '../scope/case-scope.ts'
import type { Context } from '../scope/context.ts'
import { untilAborted, withTimeout } from '../scope/deadline.ts'
import { CasePlay } from '../scope/play.ts'
import { Stop, type StopSignal } from '../scope/stop.ts'
import { emptyResult, resultFromError } from './empty-result.ts'
import { buildContext } from './identity.ts'
import { excuseByServices, excuseCase } from './missing-service.ts'
import type { Stage } from './stage.ts'
import { unwrapPrepared } from './unwrap-prepared.ts'

/** Plays one conversation, from loading its case to its result. */
export async function playCase(
  entry: CaseEntry,
  key: Key,
  agent: Agent,
  stage: Stage,
  signal: AbortSignal,
): Promise<CaseResult> {
  const base = emptyResult(entry, key)
  const started = awakeClock.now()
  // One object is filled: copies of thirty fields for every case add up.
  const finish = (rest: Partial<CaseResult>): CaseResult =>
    Object.assign(base, rest, { durationMs: awakeClock.now() - started })
  let played: ConversationCase
  try {
    played = await loadConversation(entry, stage)
  } catch (error) {
    return finish(resultFromError(error))
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
  const plan = completePlan(played, stage, key)
  const who = { ...played, agentId: agent.id, metadata: plan.options.metadata as Data, run: key.run }
  const play = new CasePlay()
  const context = { ...buildContext(stage.identity, who), play }
  const playing: Playing = { played, plan, agent, key, context, stage, signal }
  try {
    Object.assign(base, shown, { sessionId: context.sessionId })
    const { prepared, outcome } = await playWithin(playing, base.unchecked)
    return await cleanUp(finish(outcome), prepared, playing)
  } finally {
    play.end()
  }
}

interface Playing {
  played: ConversationCase
  plan: Plan
  agent: Agent
  key: Key
  context: Context
  stage: Stage
  signal: AbortSignal
}

async function loadConversation(entry: CaseEntry, { source }: Stage): Promise<ConversationCase> {
  const loaded = await source.load(entry)
  if (loaded.kind !== 'conversation') throw new Error(`${entry.id} is not a conversation`)
  return loaded
}

/** `prepared` is what `before` returned. */
async function playWithin(
  playing: Playing,
  unchecked: boolean,
): Promise<{ outcome: Partial<CaseResult>; prepared: unknown }> {
  const { played, plan, agent, key, stage } = playing
  const scope = openScope(playing, played.timeoutMs ?? stage.timeoutMs, playing.signal)
  let prepared: unknown
  try {
    await stage.services?.beforeCase(scope)
    prepared = await prepare(played, scope)
    const conversation = await holdConversation(plan, agent, scope, {
      onTurn: (turn) => stage.emit({ type: 'turn', key, turn }),
    })
    const { view, termination, checkpoints, finals, unevaluated } = conversation
    const verdict = await excuseByServices(
      excuseCase(decideVerdict(conversation, plan), scope.context),
      stage.services,
    )
    const outcome = {
      ...verdict,
      unchecked: unchecked || (verdict.status === 'passed' && !wasChecked(conversation, plan)),
      view,
      termination,
      checkpoints,
      finals,
      unevaluated,
      usage: scope.usage,
      logs: [...scope.logs],
    }
    return { outcome, prepared }
  } catch (error) {
    const outcome = { ...resultFromError(error), usage: scope.usage, logs: [...scope.logs] }
    return { outcome, prepared }
  } finally {
    scope.close()
  }
}

function openScope({ key, context, stage }: Playing, timeoutMs: number, signal: StopSignal): CaseScope {
  const { retry, targets, emit } = stage
  return CaseScope.open({ key, context, timeoutMs, signal, retry, targets, emit })
}

/** Runs the `before` of the case. If it returns an object, its fields become variables. */
async function prepare({ before }: ConversationCase, scope: CaseScope): Promise<unknown> {
  if (before === undefined) return undefined
  const given = await before(scope).catch((error: unknown) => {
    scope.stop.throwIfAborted()
    throw new InfrastructureError('before_error', `before: ${errorMessage(error)}`, { cause: error })
  })
  const prepared = unwrapPrepared(given)
  if (isRecord(prepared)) Object.assign(scope.context.variables, prepared)
  return prepared
}

/** The time limit for cleaning up, which also happens after a timeout and when the run is stopped. */
const cleanUpMs = 30_000

/** Runs the `after` of the case. It always runs, and if it fails, a passed case fails. */
async function cleanUp(result: CaseResult, prepared: unknown, playing: Playing): Promise<CaseResult> {
  const { after } = playing.played
  if (after === undefined) return result
  const scope = openScope(playing, cleanUpMs, new Stop())
  const withLogs = (more: Partial<CaseResult>) => ({
    ...result,
    usage: addUsages(result.usage, scope.usage),
    logs: [...result.logs, ...scope.logs],
    ...more,
  })
  try {
    await after(resultToLine(result), prepared, scope)
    return withLogs({})
  } catch (error) {
    const message = `after: ${errorMessage(error)}`
    if (result.status !== 'passed') return withLogs({ logs: [...result.logs, ...scope.logs, message] })
    const termination = { reason: 'infrastructure_error', detail: message } as const
    return withLogs({
      status: 'failed',
      fault: 'infrastructure',
      failure: { kind: 'after_error', message },
      termination,
    })
  } finally {
    scope.close()
  }
}

/** After this time a session that does not close is abandoned: it does not affect the result. */
const closeTimeoutMs = 2000

async function holdConversation(
  plan: Plan,
  agent: Agent,
  scope: CaseScope,
  listener: TurnListener,
): Promise<Conversation> {
  const opening = agent.open(scope)
  let session: Session
  try {
    session = await untilAborted(opening, scope.stop)
  } catch (error) {
    // A session that opens too late is closed anyway.
    opening.then((late) => late.close()).catch(() => {})
    return failedConversation(plan, error)
  }
  try {
    return await playConversation(plan, session, scope, listener)
  } finally {
    await withTimeout(closeTimeoutMs, session.close()).catch((error: unknown) =>
      scope.log(`closing the session: ${errorMessage(error)}`),
    )
  }
}

/**
 * Adds what the command line and the project say to the plan. Metadata is merged, later sources override earlier ones:
 * the `--ctx` file, the case, its options, and finally the options of the turn.
 */
function completePlan(
  { plan, metadata }: ConversationCase,
  { identity, seed, detectAwaiting }: Stage,
  { run }: Key,
): Plan {
  const own = plan.options.metadata as Record<string, unknown> | undefined
  const options = {
    ...plan.options,
    metadata: { ...identity.file.metadata, ...metadata, ...own },
    ...(seed === undefined ? {} : { seed: seed + run - 1 }),
  }
  return { ...plan, options, ...defined({ detectAwaiting }) }
}
