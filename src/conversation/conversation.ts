import type { Check } from '../checks/check.ts'
import type { CheckpointResult, Termination, TerminationReason } from '../results/result.ts'
import type { CheckResult } from '../results/transcript/check-result.ts'
import type { Message } from '../results/transcript/message.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import { evaluateCheckpoints, startCheckpoints } from './checkpoints.ts'
import { evaluateConditions, notMet } from './conditions.ts'
import type { MessageSource, Plan } from './plan.ts'
import { runChecks } from './run-check.ts'
import { decideAfterTurn } from './stop.ts'
import { terminationByError } from './termination-by-error.ts'

/** A conversation that has ended, before it is judged. */
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

/** A conversation that is being held, or graded. */
export interface ActiveConversation {
  plan: Plan
  turns: Turn[]
  view: View
  checkpoints: CheckpointResult[]
  /** How many messages each source has provided. */
  spoken: Map<MessageSource, number>
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

export function beginConversation(
  plan: Plan,
  history: readonly Message[] = plan.history,
): ActiveConversation {
  const turns: Turn[] = []
  return {
    plan,
    turns,
    view: { history, turns },
    checkpoints: startCheckpoints(plan.checkpoints),
    spoken: new Map(),
  }
}

/** Goes through the turns until they end, whatever ends them, and then runs the final checks. */
export async function concludeConversation(
  talk: ActiveConversation,
  scope: Scope,
  goThroughTurns: () => Promise<Termination>,
): Promise<Conversation> {
  const { plan, view, checkpoints } = talk
  const finals: CheckResult[] = []
  let termination: Termination
  let problem: unknown
  try {
    termination = await goThroughTurns()
    if (plan.finals.length > 0 && !incompleteReasons.has(termination.reason))
      await runChecks(plan.finals, finals, view, scope)
  } catch (error) {
    termination = terminationByError(error)
    problem = error
  }
  return {
    view,
    termination,
    error: problem,
    checkpoints,
    finals,
    unevaluated: listUnevaluated(talk, finals),
  }
}

/** The types of checks that were not evaluated: those of unsent turns, and final checks. */
function listUnevaluated({ plan, spoken }: ActiveConversation, finals: readonly CheckResult[]): string[] {
  const types: string[] = []
  for (const source of plan.sources) {
    const sent = spoken.get(source) ?? 0
    for (const { checks } of (source.known ?? []).slice(sent)) for (const { type } of checks) types.push(type)
    for (const checks of source.checksFrom?.(sent) ?? []) for (const { type } of checks) types.push(type)
  }
  for (const { type } of plan.finals.slice(finals.length)) types.push(type)
  return types
}

/** Runs the checks of the last turn. */
export async function checkTurn(
  { view }: ActiveConversation,
  turn: Turn,
  checks: readonly Check[],
  scope: Scope,
): Promise<void> {
  try {
    await runChecks(checks, turn.checks, view, scope)
  } finally {
    noteUnevaluated(turn, checks)
  }
}

/** Checks of a turn that ended before them. */
export function noteUnevaluated(turn: Turn, checks: readonly Check[]): void {
  if (turn.checks.length < checks.length)
    turn.unevaluated = checks.slice(turn.checks.length).map(({ type }) => type)
}

/** Whether the conversation ends after its last turn. */
export async function decideEnd(talk: ActiveConversation, scope: Scope): Promise<Termination | undefined> {
  const { plan, view, checkpoints } = talk
  if (checkpoints.length > 0) await evaluateCheckpoints(plan.checkpoints, checkpoints, view, scope)
  const condition =
    plan.conditions.length === 0 ? notMet : await evaluateConditions(plan.conditions, view, scope)
  return decideAfterTurn({ plan, view, checkpoints, condition, wanting: listWanting(talk) })
}

/** Those who would speak next. */
export function listWanting({ plan, view, spoken }: ActiveConversation): MessageSource[] {
  return plan.sources.filter((source) => source.wants(view, spoken.get(source) ?? 0))
}
