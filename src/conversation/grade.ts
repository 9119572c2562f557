import type { Check } from '../checks/check.ts'
import { AgentError, InfrastructureError, TimeoutError } from '../errors.ts'
import type { CaseResult, Termination, TerminationReason } from '../results/result.ts'
import type { Turn, View } from '../results/transcript/turn.ts'
import type { Scope } from '../scope/scope.ts'
import {
  type ActiveConversation,
  beginConversation,
  type Conversation,
  checkTurn,
  concludeConversation,
  decideEnd,
  listWanting,
  noteUnevaluated,
} from './conversation.ts'
import type { MessageSource, NextStep, Plan, UserMessage } from './plan.ts'
import type { ConversationSettings } from './play.ts'
import { decideBeforeTurn } from './stop.ts'

/** A conversation as a results file has it. */
export type SavedConversation = Pick<CaseResult, 'view' | 'termination'> & Partial<Pick<CaseResult, 'usage'>>

/**
 * Checks a saved conversation as if it were held now, turn by turn: nobody is asked for a message or a reply. It ends
 * where the plan ends it now. Where the plan would go on and nobody knows how, it cannot be judged.
 */
export function gradeConversation(
  plan: Plan,
  saved: SavedConversation,
  scope: Scope,
  { onTurn }: Pick<ConversationSettings, 'onTurn'> = {},
): Promise<Conversation> {
  const sources = [...plan.sources, savedPerson(saved)]
  const talk = beginConversation({ ...plan, sources }, saved.view.history)
  return concludeConversation(talk, scope, () => gradeTurns(talk, saved, scope, onTurn))
}

/** Whoever typed at the terminal is in no case: they say what they said then. */
function savedPerson({ view }: SavedConversation): MessageSource {
  return {
    kind: 'human',
    wants: ({ turns }) => view.turns[turns.length]?.source === 'human',
    next: () => ({ end: 'exhausted' }),
  }
}

async function gradeTurns(
  talk: ActiveConversation,
  saved: SavedConversation,
  scope: Scope,
  onTurn: ConversationSettings['onTurn'],
): Promise<Termination> {
  const { termination, view } = saved
  const failure = savedFailure(termination)
  for (const [place, said] of view.turns.entries()) {
    try {
      await gradeTurn(talk, said, scope)
    } finally {
      const turn = talk.turns.at(-1)
      if (turn) onTurn?.(turn)
    }
    if (said.reply === undefined) break
    const decided = await decideEnd(talk, scope)
    // After what the agent did wrong there is nothing more, whatever the checks say.
    if (failure !== undefined) continue
    const end = decided ?? decideBeforeNext(talk, saved)
    if (end === undefined) continue
    const left = view.turns.length - place - 1
    if (left > 0)
      scope.log(`with these checks the conversation ends at turn ${place + 1}: ${left} recorded after it`)
    return end
  }
  if (failure !== undefined) throw failure
  return termination
}

/** Whether the conversation ends before its next message, given what was said or not said then. */
function decideBeforeNext(talk: ActiveConversation, saved: SavedConversation): Termination | undefined {
  const { plan, view } = talk
  const step = decideBeforeTurn({ plan, view, next: savedStep(talk, saved) })
  if ('reason' in step) return step
  if (view.turns.length < saved.view.turns.length) return undefined
  throw unknownContinuation(saved)
}

/** There was a next message, but not what it was. */
const unsentMessage: UserMessage = {
  say: { value: '', message: { role: 'user', content: '' } },
  source: 'static',
  checks: [],
}

/** After these ends nobody had anything to say. */
const endsWithoutMessage = new Set<TerminationReason>(['completed', 'exhausted', 'missing_input'])

/** What those who would speak now said then; undefined if they had nothing to say. */
function savedStep(talk: ActiveConversation, saved: SavedConversation): NextStep | undefined {
  const wanting = listWanting(talk)
  const next = saved.view.turns[talk.turns.length]
  if (wanting.length === 0) return undefined
  if (next !== undefined) return { say: next.input, source: next.source, checks: [] }
  const { reason, detail } = saved.termination
  const isSimulated = wanting.some(({ kind }) => kind === 'simulator')
  if (reason === 'goal_achieved' && isSimulated) return { end: 'goal_achieved', reasoning: detail }
  // Otherwise the simulator may be one that the case did not have.
  const wasAsked = isSimulated && (saved.usage?.simulator?.calls ?? 0) > 0
  if (wasAsked && reason === 'max_turns') return unsentMessage
  if (wasAsked && endsWithoutMessage.has(reason)) return undefined
  throw unknownContinuation(saved)
}

/** Adds the recorded turn, with the checks that the case has for it now. */
async function gradeTurn(talk: ActiveConversation, said: Turn, scope: Scope): Promise<void> {
  const checks = takeChecks(talk, said)
  const { unevaluated: _, ...rest } = said
  const turn: Turn = { ...rest, checks: [] }
  talk.turns.push(turn)
  if (turn.reply !== undefined) await checkTurn(talk, turn, checks, scope)
  else noteUnevaluated(turn, checks)
}

/** The author's turns have their checks by their order. */
function takeChecks({ plan, spoken, view }: ActiveConversation, { source }: Turn): readonly Check[] {
  const speaker = plan.sources.find((each) => speaks(each, source, view, spoken.get(each) ?? 0))
  if (speaker === undefined) return []
  const before = spoken.get(speaker) ?? 0
  spoken.set(speaker, before + 1)
  return speaker.known?.[before]?.checks ?? speaker.checksFrom?.(before)[0] ?? []
}

function speaks(speaker: MessageSource, source: Turn['source'], view: View, before: number): boolean {
  const { kind, known } = speaker
  if (kind === 'follow_up' && source !== 'human') return speaker.wants(view, before)
  if (source === 'simulated') return kind === 'simulator'
  if (source === 'human') return kind === 'human'
  return known !== undefined && before < known.length
}

/** What the agent did wrong then is wrong now. */
function savedFailure({ reason, detail }: Termination): Error | undefined {
  if (reason === 'timeout') return new TimeoutError(detail)
  return reason === 'agent_error' ? new AgentError(detail.replace(/^agent error: /, '')) : undefined
}

function unknownContinuation({ termination, view }: SavedConversation): InfrastructureError {
  const { reason, detail } = termination
  const why = `${reason.replaceAll('_', ' ')}${detail === '' ? '' : `, ${detail}`}`
  return new InfrastructureError(
    'judge_unknown',
    `the recorded conversation ended at turn ${view.turns.length} (${why}), and with the case as it is now it would have gone on`,
  )
}
