import type { Session } from '../agents/agent.ts'
import { InfrastructureError, TimeoutError } from '../errors.ts'
import type { CheckpointResult, Termination, TerminationReason } from '../results/result.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import { type DetectAwaiting, detectAwaiting } from './awaiting/awaiting.ts'
import { evaluateCheckpoints, startCheckpoints } from './checkpoints.ts'
import { evaluateConditions, notMet } from './conditions.ts'
import type { ConversationState, MessageSource, NextStep, Plan, UserMessage } from './plan.ts'
import { runChecks } from './run-check.ts'
import { decideAfterTurn, decideBeforeTurn } from './stop.ts'
import { terminationByError } from './termination-by-error.ts'

/** A played conversation, before it is judged. */
export interface Conversation {
  view: View
  termination: Termination
  /** The error that ended it: thrown by the agent, the infrastructure, or viva itself. */
  error?: unknown
  checkpoints: CheckpointResult[]
  finals: CheckResult[]
  /** Checks that were not evaluated: those of turns that were never sent, and final checks of a broken conversation. */
  unevaluated: string[]
}

/** After these reasons the conversation is incomplete, so the final checks are not run. */
const incompleteReasons = new Set<TerminationReason>([
  'agent_error',
  'infrastructure_error',
  'simulator_error',
  'condition_error',
  'timeout',
  'interrupted',
  'missing_input',
  'no_initial_input',
  'internal',
])

/** How a plan is played; whatever is absent is as the plan or viva has it. */
export interface ConversationSettings {
  /** Options of every turn, in place of those of the plan. */
  options?: Data
  detectAwaiting?: DetectAwaiting | undefined
  /** Follows the conversation turn by turn. */
  onTurn?(turn: Turn): void
}

/** The one conversation loop: ask for the next user message, send it, check the reply, until something stops it. */
export async function playConversation(
  plan: Plan,
  session: Session,
  scope: Scope,
  settings: ConversationSettings = {},
): Promise<Conversation> {
  const turns: Turn[] = []
  const view: View = { history: plan.history, turns }
  const talk: ActiveConversation = {
    plan,
    options: settings.options ?? plan.options,
    detect: settings.detectAwaiting ?? detectAwaiting,
    turns,
    view,
    checkpoints: startCheckpoints(plan.checkpoints),
    spoken: new Map(),
  }
  const finals: CheckResult[] = []
  let termination: Termination
  let problem: unknown
  try {
    termination = await playTurns(talk, session, scope, settings)
    if (plan.finals.length > 0 && !incompleteReasons.has(termination.reason))
      await runChecks(plan.finals, finals, view, scope)
  } catch (error) {
    termination = terminationByError(error)
    problem = error
  }
  const unevaluated = listUnevaluated(talk, finals)
  return { view, termination, error: problem, checkpoints: talk.checkpoints, finals, unevaluated }
}

/** A conversation that is being played. */
interface ActiveConversation {
  plan: Plan
  options: Data
  detect: DetectAwaiting
  turns: Turn[]
  view: View
  checkpoints: CheckpointResult[]
  /** How many messages each source has provided. */
  spoken: Map<MessageSource, number>
}

async function playTurns(
  talk: ActiveConversation,
  session: Session,
  scope: Scope,
  { onTurn }: ConversationSettings,
): Promise<Termination> {
  const { plan, turns, view, checkpoints, spoken } = talk
  for (;;) {
    const said = decideBeforeTurn({ plan, view, next: await getNextMessage(talk, scope) })
    if ('reason' in said) return said
    try {
      await playTurn(talk, said, session, scope)
    } finally {
      const turn = turns.at(-1)
      if (turn) onTurn?.(turn)
    }
    if (checkpoints.length > 0) await evaluateCheckpoints(plan.checkpoints, checkpoints, view, scope)
    const condition =
      plan.conditions.length === 0 ? notMet : await evaluateConditions(plan.conditions, view, scope)
    const wanting = plan.sources.filter((source) => source.wants(view, spoken.get(source) ?? 0))
    const last = said.last ?? false
    const termination = decideAfterTurn({ plan, view, last, checkpoints, condition, wanting })
    if (termination) return termination
  }
}

/** The types of checks that were not evaluated: those of unsent turns, and final checks. */
function listUnevaluated(
  { plan, spoken }: Pick<ActiveConversation, 'plan' | 'spoken'>,
  finals: readonly CheckResult[],
): string[] {
  const types: string[] = []
  for (const source of plan.sources)
    for (const { checks } of (source.known ?? []).slice(spoken.get(source) ?? 0))
      for (const { type } of checks) types.push(type)
  for (const { type } of plan.finals.slice(finals.length)) types.push(type)
  return types
}

/** A conversation that failed before its first turn, because the session could not be opened. */
export function failedConversation(plan: Plan, error: unknown): Conversation {
  const view = { history: plan.history, turns: [] }
  const checkpoints = startCheckpoints(plan.checkpoints)
  return {
    view,
    checkpoints,
    termination: terminationByError(error),
    error,
    finals: [],
    unevaluated: listUnevaluated({ plan, spoken: new Map() }, []),
  }
}

/** The message of the first source that has one. */
async function getNextMessage(
  { plan, view, checkpoints, spoken }: ActiveConversation,
  scope: Scope,
): Promise<NextStep | undefined> {
  const { maxTurns } = plan
  for (const source of plan.sources) {
    const times = spoken.get(source) ?? 0
    if (!source.wants(view, times)) continue
    const standing = { view, spoken: times, checkpoints, maxTurns }
    const asked = askSource(source, standing, plan, scope)
    const next = asked instanceof Promise ? await asked : asked
    if ('end' in next && next.end === 'exhausted') continue
    spoken.set(source, times + 1)
    return next
  }
  return undefined
}

function askSource(
  source: MessageSource,
  standing: ConversationState,
  plan: Plan,
  scope: Scope,
): NextStep | Promise<NextStep> {
  if (source.kind !== 'author' && source.kind !== 'human') return askSimulator(source, standing, plan, scope)
  const next = source.next(standing, scope)
  return next instanceof Promise ? untilAborted(next, scope.stop) : next
}

/** A simulator or follow-up code has the timeout of a turn, and its time does not count as the agent's. */
async function askSimulator(
  source: MessageSource,
  standing: ConversationState,
  plan: Plan,
  scope: Scope,
): Promise<NextStep> {
  const own = scope.child('simulator', plan.turnTimeoutMs)
  try {
    return await untilAborted(Promise.resolve(source.next(standing, own)), own.stop)
  } catch (error) {
    const late =
      error instanceof TimeoutError || (error instanceof InfrastructureError && error.kind === 'timeout')
    if (!late) throw error
    throw new InfrastructureError('simulator_error', `simulator error: ${error.message}`, { cause: error })
  }
}

/** Adds the turn to `turns` even if the agent fails, so that the report shows the message. */
async function playTurn(
  { plan, options, detect, turns }: ActiveConversation,
  next: UserMessage,
  session: Session,
  scope: Scope,
): Promise<void> {
  const turnScope = scope.child('agent', plan.turnTimeoutMs)
  const started = turnScope.clock()
  const turn: Turn = {
    number: turns.length + 1,
    source: next.source,
    input: next.say,
    checks: [],
    awaiting: { awaiting: false, reason: 'no_reply' },
    durationMs: 0,
  }
  if (next.description !== undefined) turn.description = next.description
  if (next.simulated !== undefined) turn.simulated = next.simulated
  try {
    const request = {
      input: next.say,
      view: { history: plan.history, turns: [...turns] },
      options: mergeOptions(options, next.options),
      stubs: [next.stubs ?? {}, plan.stubs],
    }
    turn.reply = await untilAborted(session.send(request, turnScope), turnScope.stop)
    turn.awaiting = detect(turn.reply)
  } catch (error) {
    turn.error = terminationByError(error).detail
    throw error
  } finally {
    turn.durationMs = turnScope.clock() - started
    turns.push(turn)
  }
  try {
    await runChecks(next.checks, turn.checks, { history: plan.history, turns }, scope)
  } finally {
    if (turn.checks.length < next.checks.length)
      turn.unevaluated = next.checks.slice(turn.checks.length).map(({ type }) => type)
  }
}

/** Options of the turn override those of the case; metadata is merged key by key. */
function mergeOptions(options: Data, turnOptions: Data | undefined): Data {
  const metadata = { ...readMetadata(options), ...readMetadata(turnOptions ?? {}) }
  return { ...options, ...turnOptions, metadata }
}

function readMetadata(options: Data): Data {
  return (options.metadata ?? {}) as Data
}
