import type { Session } from '../agents/agent.ts'
import type { Check } from '../assertions/check.ts'
import { detectAwaiting } from '../awaiting/awaiting.ts'
import { defined } from '../defined.ts'
import { AgentError, ConfigError, InterruptedError, messageOf, TimeoutError, WorldError } from '../errors.ts'
import type { CheckpointResult, Termination, TerminationReason } from '../results/result.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import type { CheckResult } from '../transcript/check-result.ts'
import type { Data } from '../transcript/message.ts'
import type { Turn, View } from '../transcript/turn.ts'
import { lookAtCheckpoints, startCheckpoints } from './checkpoints.ts'
import { meetConditions } from './conditions.ts'
import type { MessageSource, Next, Plan, Said } from './plan.ts'
import { sayOrStop, stopAfterTurn } from './stop.ts'

/** What a played plan came to, before anyone says whether that is good. */
export interface Conversation {
  view: View
  termination: Termination
  /** What broke it off: thrown by the agent, the world, or viva itself. */
  error?: unknown
  checkpoints: CheckpointResult[]
  finals: CheckResult[]
  /** Final checks that were not evaluated, because the conversation did not come to its end. */
  unevaluated: string[]
}

/** After these the final checks would judge something that never came to its end. */
const brokenOff = new Set<TerminationReason>([
  'agent_error',
  'world_error',
  'simulator_error',
  'condition_error',
  'timeout',
  'interrupted',
  'missing_input',
  'no_initial_input',
  'internal',
])

/** The one conversation loop: ask for the next user message, send it, check the reply, until something stops it. */
export async function converse(
  plan: Plan,
  session: Session,
  scope: Scope,
  onTurn: (turn: Turn) => void = () => {},
): Promise<Conversation> {
  const turns: Turn[] = []
  const view: View = { history: plan.history, turns }
  const checkpoints = startCheckpoints(plan.checkpoints)
  const came = { view, checkpoints }
  try {
    const termination = await talk(plan, { turns, ...came }, session, scope, onTurn)
    if (brokenOff.has(termination.reason)) return { ...came, termination, ...notEvaluated(plan) }
    const finals = await runChecks(plan.finals, view, turns.length, scope)
    return { ...came, termination, finals, unevaluated: [] }
  } catch (error) {
    return { ...came, termination: brokenBy(error), error, ...notEvaluated(plan) }
  }
}

/** Turn after turn, until something stops it. */
async function talk(
  plan: Plan,
  { turns, view, checkpoints }: { turns: Turn[]; view: View; checkpoints: CheckpointResult[] },
  session: Session,
  scope: Scope,
  onTurn: (turn: Turn) => void,
): Promise<Termination> {
  const spoken = new Map<MessageSource, number>()
  for (;;) {
    const next = await nextMessage(plan, view, checkpoints, spoken, scope)
    const said = sayOrStop(next, plan, view)
    if ('reason' in said) return said
    await takeTurn(plan, said, turns, session, scope).finally(() => announceLast(turns, onTurn))
    await lookAtCheckpoints(plan.checkpoints, checkpoints, view, scope)
    const condition = await meetConditions(plan.conditions, view, scope)
    const wanting = plan.sources.filter((source) => source.wants(view, spoken.get(source) ?? 0))
    const last = said.last ?? false
    const termination = stopAfterTurn({ plan, view, last, checkpoints, condition, wanting })
    if (termination) return termination
  }
}

/** A conversation that broke before its first turn: the agent could not even be opened. */
export function neverBegan(plan: Plan, error: unknown): Conversation {
  const view = { history: plan.history, turns: [] }
  const checkpoints = startCheckpoints(plan.checkpoints)
  return { view, checkpoints, termination: brokenBy(error), error, ...notEvaluated(plan) }
}

function notEvaluated(plan: Plan): Pick<Conversation, 'finals' | 'unevaluated'> {
  return { finals: [], unevaluated: plan.finals.map((check) => check.type) }
}

function announceLast(turns: readonly Turn[], onTurn: (turn: Turn) => void): void {
  const turn = turns.at(-1)
  if (turn) onTurn(turn)
}

/** Of the first source that would speak and has something to say. */
async function nextMessage(
  plan: Plan,
  view: View,
  checkpoints: readonly CheckpointResult[],
  spoken: Map<MessageSource, number>,
  scope: Scope,
): Promise<Next | undefined> {
  const { maxTurns } = plan
  for (const source of plan.sources) {
    const times = spoken.get(source) ?? 0
    if (!source.wants(view, times)) continue
    const standing = { view, spoken: times, checkpoints, maxTurns }
    const next = await untilAborted(source.next(standing, scope), scope.signal)
    if ('end' in next && next.end === 'exhausted') continue
    spoken.set(source, times + 1)
    return next
  }
  return undefined
}

/** Adds the turn to `turns` even when the agent fails, so that the report shows what it was asked. */
async function takeTurn(
  plan: Plan,
  next: Said,
  turns: Turn[],
  session: Session,
  scope: Scope,
): Promise<void> {
  const turnScope = scope.child('agent', plan.turnTimeoutMs)
  const started = turnScope.clock()
  const turn: Turn = {
    number: turns.length + 1,
    source: next.source,
    ...defined({ description: next.description, simulated: next.simulated }),
    input: next.say,
    checks: [],
    awaiting: { awaiting: false, reason: 'no_reply' },
    durationMs: 0,
  }
  try {
    const request = {
      input: next.say,
      view: { history: plan.history, turns: [...turns] },
      options: optionsFor(plan, next.options, scope),
      stubs: [next.stubs ?? {}, plan.stubs],
    }
    turn.reply = await untilAborted(session.send(request, turnScope), turnScope.signal)
    turn.awaiting = (plan.detectAwaiting ?? detectAwaiting)(turn.reply)
  } catch (error) {
    turn.error = brokenBy(error).detail
    throw error
  } finally {
    turn.durationMs = turnScope.clock() - started
    turns.push(turn)
  }
  turn.checks = await runChecks(next.checks, { history: plan.history, turns }, turn.number, scope)
}

/** The turn's options over the plan's; of the metadata each key for itself, what the test says last. */
function optionsFor(plan: Plan, turnOptions: Data | undefined, scope: Scope): Data {
  const metadata = { ...metadataOf(plan.options), ...metadataOf(turnOptions ?? {}), test_id: scope.key.id }
  return { ...plan.options, ...turnOptions, metadata }
}

function metadataOf(options: Data): Data {
  return (options.metadata ?? {}) as Data
}

async function runChecks(
  checks: readonly Check[],
  view: View,
  turn: number,
  scope: Scope,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of checks) {
    results.push(await untilAborted(check.run(view, turn, scope), scope.signal).catch(sparingTheAgent))
  }
  return results
}

/** It has answered: time that runs out while a check asks somebody else is not its failure. */
function sparingTheAgent(error: unknown): never {
  if (!(error instanceof TimeoutError)) throw error
  throw new WorldError('timeout', `${error.message}, while a check was at work`, { cause: error })
}

function brokenBy(error: unknown): Termination {
  const detail = messageOf(error)
  if (error instanceof TimeoutError) return { reason: 'timeout', detail }
  if (error instanceof InterruptedError) return { reason: 'interrupted', detail }
  if (error instanceof AgentError) return { reason: 'agent_error', detail: `agent error: ${detail}` }
  if (error instanceof WorldError && error.kind === 'simulator_error')
    return { reason: 'simulator_error', detail }
  if (error instanceof WorldError || error instanceof ConfigError) return { reason: 'world_error', detail }
  return { reason: 'internal', detail: `internal error: ${detail}` }
}
