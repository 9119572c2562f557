import type { Agent } from '../agents/agent.ts'
import type { Case, CaseEntry, ConversationCase } from '../cases/entry.ts'
import type { Conversation } from '../conversation/conversation.ts'
import { gradeConversation } from '../conversation/grade.ts'
import { wasChecked } from '../conversation/smoke.ts'
import { type CaseVerdict, decideVerdict } from '../conversation/verdict.ts'
import { errorMessage, InfrastructureError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import { isGradable } from '../results/gradable.ts'
import type { Key } from '../results/key.ts'
import { resultToLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import type { Data } from '../results/transcript/message.ts'
import { addUsages } from '../results/usage.ts'
import { awakeClock } from '../scope/awake-clock.ts'
import { CaseScope } from '../scope/case-scope.ts'
import type { Context } from '../scope/context.ts'
import { CasePlay } from '../scope/play.ts'
import { type AbortState, Stop } from '../scope/stop.ts'
import type { PlayTape } from '../scope/tape.ts'
import { emptyResult, resultFromError } from './empty-result.ts'
import { holdConversation } from './hold-conversation.ts'
import { buildContext } from './identity.ts'
import { excuseByServices, excuseCase } from './missing-service.ts'
import { addRecording, carryOver } from './recorded-case.ts'
import type { Stage } from './stage.ts'
import { unwrapPrepared } from './unwrap-prepared.ts'

/** Plays one conversation, or grades a recorded one, from loading its case to its result. */
export async function playCase(
  entry: CaseEntry,
  key: Key,
  agent: Agent,
  stage: Stage,
  signal: AbortSignal,
): Promise<CaseResult> {
  // One object is filled step by step: copies of its thirty fields would add up.
  const result = emptyResult(entry, key)
  const started = awakeClock.now()
  const measure = () => {
    result.durationMs = awakeClock.now() - started
  }
  let played: ConversationCase
  let recorded: CaseResult | undefined
  try {
    const loading = stage.source.load(entry)
    played = expectConversation(loading instanceof Promise ? await loading : loading, entry)
    if (stage.conversations !== undefined) recorded = await stage.conversations.find(key, played.plan)
  } catch (error) {
    Object.assign(result, resultFromError(error))
    measure()
    return result
  }
  describeCase(result, played)
  if (played.skip !== undefined) {
    result.status = 'skipped'
    result.termination = { reason: 'skipped', detail: played.skip }
    result.failure = { kind: 'skipped', message: played.skip }
    measure()
    return result
  }
  if (recorded !== undefined && !isGradable(recorded)) return carryOver(result, recorded)
  const options = completeOptions(played, stage, key)
  const play = new CasePlay()
  const context = buildContext(stage.identity, {
    user: played.user,
    team: played.team,
    agentId: agent.id,
    metadata: options.metadata as Data,
    run: key.run,
  })
  context.play = play
  if (agent.disclosure !== undefined) context.disclosure = agent.disclosure
  const tape = stage.tapes?.open(key)
  if (tape !== undefined) context.sessionId = tape.session(context.sessionId)
  result.sessionId = context.sessionId
  const playing: Playing = { played, options, agent, key, context, stage, tape, signal }
  try {
    if (recorded !== undefined) return await gradeWithin(playing, recorded, result)
    const { prepared, aheadMs } = await playWithin(playing, result)
    measure()
    result.durationMs += aheadMs
    return played.after === undefined ? result : await cleanUp(result, prepared, playing)
  } finally {
    play.end()
    tape?.close({ isComplete: result.status !== 'interrupted' })
  }
}

interface Playing {
  played: ConversationCase
  /** Of every turn. */
  options: Data
  agent: Agent
  key: Key
  context: Context
  stage: Stage
  tape: PlayTape | undefined
  signal: AbortSignal
}

function expectConversation(loaded: Case, entry: CaseEntry): ConversationCase {
  if (loaded.kind !== 'conversation') throw new Error(`${entry.id} is not a conversation`)
  return loaded
}

/** What is known of a case before it is played. */
function describeCase(
  result: CaseResult,
  { plan, givenHash, expected, expectedFailure }: ConversationCase,
): void {
  if (givenHash !== undefined) result.givenHash = givenHash
  result.singleTurn = plan.singleTurn
  if (expected !== undefined) result.expected = expected
  if (expectedFailure !== undefined) result.expectedFailure = expectedFailure
}

interface PlayedWithin {
  /** What `before` returned. */
  prepared: unknown
  /** The time that recorded calls took when they were made. */
  aheadMs: number
}

/** Fills the result. */
async function playWithin(playing: Playing, result: CaseResult): Promise<PlayedWithin> {
  const { played, options, agent, key, stage } = playing
  let prepared: unknown
  const aheadMs = await judgeWithin(playing, result, async (scope) => {
    if (stage.services !== undefined) await stage.services.beforeCase(scope)
    if (played.before !== undefined) prepared = await prepare(played, scope)
    return holdConversation(played.plan, agent, scope, {
      options,
      detectAwaiting: stage.detectAwaiting,
      onTurn: (turn) => stage.emit({ type: 'turn', key, turn }),
    })
  })
  return { prepared, aheadMs }
}

/** The same for a recorded conversation: what surrounds a live one, like `before` and `after`, is not run. */
async function gradeWithin(playing: Playing, recorded: CaseResult, result: CaseResult): Promise<CaseResult> {
  const { played, key, context, stage } = playing
  context.isRecorded = true
  context.memory.unrecorded = {}
  context.sessionId = recorded.sessionId
  await judgeWithin(playing, result, (scope) =>
    gradeConversation(played.plan, recorded, scope, {
      onTurn: (turn) => stage.emit({ type: 'turn', key, turn }),
    }),
  )
  return addRecording(result, recorded)
}

/**
 * Goes through the conversation and adds it to the result with its verdict, whatever goes wrong. Returns the time that
 * recorded calls took when they were made.
 */
async function judgeWithin(
  playing: Playing,
  result: CaseResult,
  converse: (scope: CaseScope) => Promise<Conversation>,
): Promise<number> {
  const { played, stage } = playing
  const { plan } = played
  const scope = openScope(playing, played.timeoutMs ?? stage.timeoutMs, playing.signal)
  try {
    const conversation = await converse(scope)
    const verdict = excuseCase(decideVerdict(conversation, plan), scope.context)
    addConversation(result, conversation)
    addVerdict(result, verdict.fault === 'agent' ? await excuseByServices(verdict, stage.services) : verdict)
    result.unchecked ||= result.status === 'passed' && !wasChecked(conversation, plan)
  } catch (error) {
    Object.assign(result, resultFromError(error))
  } finally {
    // Code that runs on must not change a result that is already written.
    result.usage = Object.assign({}, scope.usage)
    if (scope.logs.length > 0) result.logs = [...scope.logs]
    scope.close()
  }
  return scope.aheadMs
}

function addConversation(result: CaseResult, conversation: Conversation): void {
  result.view = conversation.view
  result.termination = conversation.termination
  result.checkpoints = conversation.checkpoints
  result.finals = conversation.finals
  result.unevaluated = conversation.unevaluated
}

function addVerdict(result: CaseResult, { status, fault, failure }: CaseVerdict): void {
  result.status = status
  if (fault !== undefined) result.fault = fault
  if (failure !== undefined) result.failure = failure
}

function openScope({ key, context, stage, tape }: Playing, timeoutMs: number, signal: AbortState): CaseScope {
  const { retry, targets, emit } = stage
  return CaseScope.open({ key, context, timeoutMs, signal, retry, targets, tape, emit })
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

/**
 * The options of every turn, with what the command line and the project add. Metadata is merged, later sources override
 * earlier ones: the `--ctx` file, the case, its options, and finally the options of the turn.
 */
function completeOptions(
  { plan, metadata }: ConversationCase,
  { identity, seed }: Stage,
  { run }: Key,
): Data {
  const own = plan.options.metadata as Record<string, unknown> | undefined
  const options: Data = { ...plan.options, metadata: { ...identity.file.metadata, ...metadata, ...own } }
  if (seed !== undefined) options.seed = seed + run - 1
  return options
}
