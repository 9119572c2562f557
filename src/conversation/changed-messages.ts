import { sameData } from '../json/equal/find-difference.ts'
import { isRecord, textOrJson } from '../json/json.ts'
import type { Message } from '../results/transcript/message.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { fitsMasked, maskedText } from '../text/masked.ts'
import { shorten } from '../text/shorten.ts'
import type { SavedConversation } from './grade.ts'
import type { Plan } from './plan.ts'

/**
 * How the messages that a case has now differ from those that were sent, if they do: then the recorded conversation is
 * not one of this case. `redact` makes of a message what a results file has of it. `isMasked`: what a mask has found
 * elsewhere is masked in messages too.
 */
export function describeChangedMessages(
  { history, sources }: Plan,
  saved: SavedConversation,
  redact: <T>(value: T) => T,
  { isMasked = false }: { isMasked?: boolean } = {},
): string | undefined {
  const { view } = saved
  const asWritten = (value: unknown): unknown => redact(JSON.parse(JSON.stringify(value ?? null)))
  const isSame = (now: unknown, then: unknown) => {
    const [written, recorded] = [asWritten(now), asWritten(then)]
    return sameData(written, recorded) || (isMasked && isSameMasked(written, recorded))
  }
  if (!isSame(history, view.history)) return describeHistory(history, view.history)
  const known = sources.flatMap((source) => source.known ?? [])
  const sent = view.turns.filter(isAuthored)
  const mayGoOn = sources.some(({ kind }) => kind === 'follow_up')
  for (const [place, { number, input }] of sent.entries()) {
    const now = known[place]?.say
    if (now === undefined && mayGoOn) break
    if (now === undefined) return `turn ${number} was ${show(input.value)}, and is not in the case now`
    if (isSame(now.value, input.value) && isSame(now.message, input.message)) continue
    if (!isSame(now.value, input.value))
      return `turn ${number} was ${show(input.value)}, and is ${show(asWritten(now.value))} now`
    return `turn ${number} has other attachments or a different form now`
  }
  const next = known[sent.length]
  return next !== undefined && wereAllSent(saved)
    ? `${show(asWritten(next.say.value))} was added, and was never sent`
    : undefined
}

function isSameMasked(now: unknown, then: unknown): boolean {
  if (typeof now === 'string' && typeof then === 'string') return fitsMasked(now, then)
  if (then === maskedText) return true
  if (Array.isArray(now) && Array.isArray(then))
    return now.length === then.length && then.every((item, place) => isSameMasked(now[place], item))
  if (!isRecord(now) || !isRecord(then)) return sameData(now, then)
  return Object.keys({ ...now, ...then }).every((name) => isSameMasked(now[name], then[name]))
}

function isAuthored({ source }: Turn): boolean {
  return source === 'initial' || source === 'static'
}

/** A conversation that ended like this, or in which others spoke, had sent all that its author wrote. */
function wereAllSent({ view, termination: { reason } }: SavedConversation): boolean {
  const ends = ['completed', 'checkpoints_reached', 'exhausted', 'missing_input', 'goal_achieved']
  return ends.includes(reason) || !view.turns.every(isAuthored)
}

function describeHistory(now: readonly Message[], then: readonly Message[]): string {
  return now.length === then.length
    ? 'the messages before the first turn are different now'
    : `there were ${then.length} messages before the first turn, and ${now.length} now`
}

function show(value: unknown): string {
  return `"${shorten(textOrJson(value), 80)}"`
}
