import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import type { Turn } from '../results/transcript/turn.ts'
import { MaskRedactor } from './masks/mask-redactor.ts'
import type { FieldMask, Masks } from './masks/parse-masks.ts'
import { redactEachPart } from './redact-event.ts'

/** Protocols use these names themselves, for values that do not come from the case. */
const protocolName =
  /^(?:arguments|content|description|function|id|input|kind|method|model|name|object|output|parameters|role|text|title|type|url)$/

/** Redacts masked data in events. */
export interface MaskRedaction {
  redactEvent(event: RunEvent): RunEvent
  /** Remembers the masked values of an event, so that events before it can be redacted too. */
  learn(event: RunEvent): void
  /** The masks that have matched nothing so far, as the user wrote them. */
  unusedMasks(): string[]
}

/**
 * Redacts masked fields and what patterns match. Their values are remembered for the whole run and redacted wherever
 * else they occur. Files, ids and variants stay: they say which result it is.
 */
export function createMaskRedaction(masks: Masks): MaskRedaction {
  const known = new MaskRedactor(masks)
  const isOfCase = ({ names }: FieldMask) => !protocolName.test(names.join('.'))
  const onWire = new MaskRedactor({ ...masks, fields: masks.fields.filter(isOfCase) }, known)
  const learn = (event: RunEvent, redactor: MaskRedactor) => {
    if (event.type === 'run_started' || event.type === 'run_finished') return
    // Masks apply only to what came from outside, not to viva's own field names.
    redactEachPart(dropRawReplies(event), (value) => {
      redactor.learn(value, [])
      return value
    })
  }
  const redactWith = (event: RunEvent, redactor: MaskRedactor) =>
    redactEachPart(
      event,
      <T>(value: T) => redactor.redact(value, []) as T,
      (key) => key,
    )
  return {
    learn: (event) => learn(event, known),
    redactEvent(event) {
      if (event.type === 'run_finished') return event
      if (event.type === 'run_started') return { ...event, start: redactStart(event.start, known) }
      learn(event, event.type === 'exchange' ? onWire : known)
      if (event.type !== 'exchange') return redactWith(event, known)
      // Values of protocol fields are redacted in this exchange only, and not remembered.
      const own = new MaskRedactor(masks)
      learn(event, own)
      return redactWith(redactWith(event, known), own)
    },
    unusedMasks: () =>
      [...masks.fields, ...masks.patterns]
        .map(({ written }) => written)
        .filter((each) => !known.matched.has(each)),
  }
}

/** A command that would have to be redacted is dropped: with gaps in it, it would do something else. */
function redactStart({ command, ...start }: RunStart, redactor: MaskRedactor): RunStart {
  const { userId, teamId, locale } = start.environment
  const redacted = command === undefined ? undefined : redactor.redactText(command, [])
  return {
    ...start,
    environment: {
      userId: redactor.redactText(userId, []),
      teamId: redactor.redactText(teamId, []),
      locale,
    },
    ...(command !== undefined && redacted === command && { command }),
  }
}

/** Raw replies have the names of the protocol in them, which are not the user's fields. */
function dropRawReplies(event: RunEvent): RunEvent {
  const dropRaw = ({ reply, ...turn }: Turn): Turn => {
    if (reply === undefined) return turn
    const { raw: _, ...rest } = reply
    return { ...turn, reply: rest }
  }
  if (event.type === 'turn') return { ...event, turn: dropRaw(event.turn) }
  if (event.type !== 'case_finished') return event
  const { view } = event.result
  return { ...event, result: { ...event.result, view: { ...view, turns: view.turns.map(dropRaw) } } }
}
