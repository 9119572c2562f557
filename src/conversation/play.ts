import type { Session } from '../agents/agent.ts'
import type { Check } from '../assertions/check.ts'
import { AgentError, InterruptedError, messageOf, TimeoutError, WorldError } from '../errors.ts'
import type { Termination, TerminationReason } from '../results/result.ts'
import type { Scope } from '../scope/scope.ts'
import type { CheckResult } from '../transcript/check-result.ts'
import type { Data } from '../transcript/message.ts'
import type { Turn, View } from '../transcript/turn.ts'
import { detectAwaiting } from './awaiting.ts'
import type { Next, Plan } from './plan.ts'
import { stopAfterTurn, stopForMissingInput } from './stop.ts'

/** What a played plan came to, before anyone says whether that is good. */
export interface Conversation {
  view: View
  termination: Termination
  /** What broke it off: thrown by the agent, the world, or viva itself. */
  error?: unknown
  finals: CheckResult[]
  /** The final checks were not evaluated, because the conversation did not come to its end. */
  unevaluated: string[]
}

/** After these the final checks would judge something that never came to its end. */
const brokenOff = new Set<TerminationReason>([
  'agent_error',
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
  let termination: Termination | undefined
  let error: unknown

  while (termination === undefined) {
    try {
      const next = await nextMessage(plan, view, scope)
      if (next === undefined) {
        termination = stopForMissingInput(plan, view)
        break
      }
      await takeTurn(plan, next, view, turns, session, scope)
      termination = stopAfterTurn(plan, view)
    } catch (thrown) {
      error = thrown
      termination = brokenBy(thrown)
    }
    const turn = turns.at(-1)
    if (turn) onTurn(turn)
  }

  const evaluate = !brokenOff.has(termination.reason)
  return {
    view,
    termination,
    ...(error === undefined ? {} : { error }),
    finals: evaluate ? await runChecks(plan.finals, view, turns.length, scope) : [],
    unevaluated: evaluate ? [] : plan.finals.map((check) => check.type),
  }
}

/** A conversation that broke before its first turn: the agent could not even be opened. */
export function neverBegan(plan: Plan, error: unknown): Conversation {
  return {
    view: { history: plan.history, turns: [] },
    termination: brokenBy(error),
    error,
    finals: [],
    unevaluated: plan.finals.map((check) => check.type),
  }
}

type Said = Extract<Next, { say: unknown }>

async function nextMessage(plan: Plan, view: View, scope: Scope): Promise<Said | undefined> {
  const awaited = view.turns.at(-1)?.awaiting.awaiting ?? true
  for (const source of plan.sources) {
    if (source.gate === 'awaiting' && !awaited) continue
    const next = await source.next(view, scope)
    if ('say' in next) return next
  }
  return undefined
}

/** Adds the turn to `turns` even when the agent fails, so that the report shows what it was asked. */
async function takeTurn(
  plan: Plan,
  next: Said,
  view: View,
  turns: Turn[],
  session: Session,
  scope: Scope,
): Promise<void> {
  const turnScope = scope.child('agent', plan.turnTimeoutMs)
  const started = performance.now()
  const turn: Turn = {
    number: turns.length + 1,
    source: next.source,
    input: next.say,
    checks: [],
    awaiting: { awaiting: false, reason: 'no_reply' },
    durationMs: 0,
  }
  try {
    const before = { ...view, turns: [...turns] }
    turn.reply = await session.send(next.say, before, optionsFor(plan, next.options), turnScope)
    turn.awaiting = detectAwaiting(turn.reply)
  } catch (error) {
    turn.error = brokenBy(error).detail
    throw error
  } finally {
    turn.durationMs = performance.now() - started
    turns.push(turn)
  }
  turn.checks = await runChecks(next.checks, view, turn.number, turnScope)
}

/** The turn's options over the plan's; of the metadata, each key for itself. */
function optionsFor(plan: Plan, turnOptions: Data = {}): Data {
  const metadata = { ...metadataOf(plan.options), ...metadataOf(turnOptions), ...plan.testMetadata }
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
  for (const check of checks) results.push(await check.run(view, turn, scope))
  return results
}

function brokenBy(error: unknown): Termination {
  const detail = messageOf(error)
  if (error instanceof TimeoutError) return { reason: 'timeout', detail }
  if (error instanceof InterruptedError) return { reason: 'interrupted', detail }
  if (error instanceof AgentError || error instanceof WorldError) {
    return { reason: 'agent_error', detail: `agent error: ${detail}` }
  }
  return { reason: 'internal', detail: `internal error: ${detail}` }
}
