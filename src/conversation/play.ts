import type { Session } from '../agents/agent.ts'
import { InfrastructureError, TimeoutError } from '../errors.ts'
import type { Termination } from '../results/result.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import { type DetectAwaiting, detectAwaiting } from './awaiting/awaiting.ts'
import {
  type ActiveConversation,
  beginConversation,
  type Conversation,
  checkTurn,
  concludeConversation,
  decideEnd,
  noteUnevaluated,
} from './conversation.ts'
import { attachLateResults } from './late-results.ts'
import type { ConversationState, MessageSource, NextStep, Plan, UserMessage } from './plan.ts'
import { decideBeforeTurn } from './stop.ts'
import { terminationByError } from './termination-by-error.ts'

/** How a plan is played; whatever is absent is as the plan or viva has it. */
export interface ConversationSettings {
  /** Options of every turn, in place of those of the plan. */
  options?: Data
  detectAwaiting?: DetectAwaiting | undefined
  /** Follows the conversation turn by turn. */
  onTurn?(turn: Turn): void
}

/** The one conversation loop: ask for the next user message, send it, check the reply, until something stops it. */
export function playConversation(
  plan: Plan,
  session: Session,
  scope: Scope,
  settings: ConversationSettings = {},
): Promise<Conversation> {
  const talk = beginConversation(plan)
  return concludeConversation(talk, scope, async () => {
    const termination = await playTurns(talk, session, scope, settings)
    session.checkStubs?.()
    return termination
  })
}

async function playTurns(
  talk: ActiveConversation,
  session: Session,
  scope: Scope,
  settings: ConversationSettings,
): Promise<Termination> {
  const { plan, turns, view } = talk
  for (;;) {
    const next = await getNextMessage(talk, scope)
    const said = decideBeforeTurn({ plan, view, next })
    if ('reason' in said) {
      noteLastCalls(turns, next)
      return said
    }
    try {
      await playTurn(talk, said, session, scope, settings)
    } finally {
      const turn = turns.at(-1)
      if (turn) settings.onTurn?.(turn)
    }
    const termination = await decideEnd(talk, scope)
    if (termination) return termination
  }
}

/** A conversation that failed before its first turn, because the session could not be opened. */
export function failedConversation(plan: Plan, error: unknown, scope: Scope): Promise<Conversation> {
  return concludeConversation(beginConversation(plan), scope, () => Promise.reject(error))
}

/** The message of the first source that has one. */
async function getNextMessage(
  { plan, turns, view, checkpoints, spoken }: ActiveConversation,
  scope: Scope,
): Promise<NextStep | undefined> {
  const { maxTurns } = plan
  for (const source of plan.sources) {
    const times = spoken.get(source) ?? 0
    if (!source.wants(view, times)) continue
    const standing = { view, spoken: times, checkpoints, maxTurns }
    const asked = askSource(source, standing, plan, scope)
    const next = asked instanceof Promise ? await asked : asked
    if ('end' in next && next.end === 'exhausted') {
      noteLastCalls(turns, next)
      continue
    }
    spoken.set(source, times + 1)
    return next
  }
  return undefined
}

/** A user whose message is not sent, or who has nothing more to say, may have done something before. */
function noteLastCalls(turns: readonly Turn[], next: NextStep | undefined): void {
  const toolCalls = next && 'end' in next ? next.toolCalls : next?.simulated?.toolCalls
  const last = turns.at(-1)
  if (last !== undefined && toolCalls !== undefined && toolCalls !== 'hidden') last.lastUserCalls = toolCalls
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
  talk: ActiveConversation,
  next: UserMessage,
  session: Session,
  scope: Scope,
  { options = talk.plan.options, detectAwaiting: detect = detectAwaiting }: ConversationSettings,
): Promise<void> {
  const { plan, turns } = talk
  const turnScope = scope.child('agent', plan.turnTimeoutMs)
  const timeReply = turnScope.timeReply()
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
    attachLateResults(turns, turn.reply)
    turn.awaiting = detect(turn.reply)
  } catch (error) {
    turn.error = terminationByError(error).detail
    noteUnevaluated(turn, next.checks)
    throw error
  } finally {
    turn.durationMs = timeReply()
    turns.push(turn)
  }
  await checkTurn(talk, turn, next.checks, scope)
}

/** Options of the turn override those of the case; metadata is merged key by key. */
function mergeOptions(options: Data, turnOptions: Data | undefined): Data {
  const metadata = { ...readMetadata(options), ...readMetadata(turnOptions ?? {}) }
  return { ...options, ...turnOptions, metadata }
}

function readMetadata(options: Data): Data {
  return (options.metadata ?? {}) as Data
}
