import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import type { Turn } from '../results/transcript/turn.ts'
import type { Conceal } from './conceal.ts'
import { Masker } from './masker.ts'
import type { FieldMask, Masks } from './read-masks.ts'
import { mapEvent } from './redact-event.ts'

/** What goes over the wire has these names in it, of which the values are not the case's. */
const nameOfProtocol =
  /^(?:arguments|content|description|function|id|input|kind|method|model|name|object|output|parameters|role|text|title|type|url)$/

/** Hides masked data in all that is told. */
export interface Masking {
  conceal: Conceal
  /** Remembers what is to be hidden, for events that are told later. */
  learn(event: RunEvent): void
  /** The masks that have found nothing so far, as they are written. */
  foundNothing(): string[]
}

/**
 * Hides masked fields and what patterns find; from then on, for the whole run, also their values wherever else they
 * stand. Files, ids and variants stay: they say which result it is.
 */
export function createMasking(masks: Masks): Masking {
  const known = new Masker(masks)
  const isOurs = ({ names }: FieldMask) => !nameOfProtocol.test(names.join('.'))
  const onWire = new Masker({ ...masks, fields: masks.fields.filter(isOurs) }, known)
  const learn = (event: RunEvent, masker: Masker) => {
    if (event.type === 'run_started' || event.type === 'run_finished') return
    // Only what came from outside has fields to mask: our own names are not looked at.
    mapEvent(withoutRaw(event), (value) => {
      masker.collect(value, [])
      return value
    })
  }
  const hideIn = (event: RunEvent, masker: Masker) =>
    mapEvent(
      event,
      <T>(value: T) => masker.hide(value, []) as T,
      (key) => key,
    )
  return {
    learn: (event) => learn(event, known),
    conceal(event) {
      if (event.type === 'run_finished') return event
      if (event.type === 'run_started') return { ...event, start: startWithout(event.start, known) }
      learn(event, event.type === 'exchange' ? onWire : known)
      if (event.type !== 'exchange') return hideIn(event, known)
      // The rest of what it holds is hidden in it, and forgotten.
      const own = new Masker(masks)
      learn(event, own)
      return hideIn(hideIn(event, known), own)
    },
    foundNothing: () =>
      [...masks.fields, ...masks.patterns]
        .map(({ written }) => written)
        .filter((each) => !known.found.has(each)),
  }
}

/** A command with holes in it would do something else: such a one is not told. */
function startWithout({ command, ...start }: RunStart, masker: Masker): RunStart {
  const { userId, teamId, locale } = start.environment
  const hidden = command === undefined ? undefined : masker.hideText(command, [])
  return {
    ...start,
    environment: {
      userId: masker.hideText(userId, []),
      teamId: masker.hideText(teamId, []),
      locale,
    },
    ...(command !== undefined && hidden === command && { command }),
  }
}

/** Replies as they came over the wire: with names of the protocol in them, too. */
function withoutRaw(event: RunEvent): RunEvent {
  const ofTurn = ({ reply, ...turn }: Turn): Turn => {
    if (reply === undefined) return turn
    const { raw: _, ...rest } = reply
    return { ...turn, reply: rest }
  }
  if (event.type === 'turn') return { ...event, turn: ofTurn(event.turn) }
  if (event.type !== 'case_finished') return event
  const { view } = event.result
  return { ...event, result: { ...event.result, view: { ...view, turns: view.turns.map(ofTurn) } } }
}
