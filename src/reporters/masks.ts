import { ConfigError, messageOf } from '../errors.ts'
import { isRecord, parseJson } from '../json.ts'
import { compilePattern, type Pattern } from '../pattern.ts'
import { keyText } from '../results/key.ts'
import type { RunEvent } from '../run-event.ts'
import { createRedact, type Redact } from '../scope/redact.ts'
import type { Turn } from '../transcript/turn.ts'
import type { Conceal } from './conceal.ts'
import { mapEvent } from './redact-event.ts'

const mask = '[masked]'
/** A shorter one would blank out ordinary words; it is masked in its field only. */
const shortestValue = 4

interface Masks {
  /** Names from the outer to the inner one, in small letters. */
  fields: string[][]
  patterns: Pattern[]
}

/** `email`, `customer.email`: fields of that name. `/\d{16}/`: what a pattern finds in texts. */
export function readMasks(written: readonly string[]): Masks {
  const masks: Masks = { fields: [], patterns: [] }
  for (const text of written) {
    const pattern = /^\/(.+)\/$/s.exec(text)?.[1]
    if (pattern !== undefined) masks.patterns.push(patternOf(text, pattern))
    else if (/^[^\s./]+(\.[^\s./]+)*$/.test(text)) masks.fields.push(text.toLowerCase().split('.'))
    else throw badMask(text, 'must be a field like email or customer.email, or a pattern like /[0-9]{16}/')
  }
  return masks
}

function patternOf(text: string, source: string): Pattern {
  try {
    const pattern = compilePattern(source)
    if (!pattern.test('')) return pattern
  } catch (error) {
    throw badMask(text, messageOf(error))
  }
  throw badMask(text, 'the pattern finds something in an empty text')
}

function badMask(text: string, problem: string): ConfigError {
  return new ConfigError({ code: 'bad_mask', message: `mask ${text}: ${problem}` })
}

/**
 * Hides masked fields in all that is told of a case, and their values wherever else they stand in it. Names and ids of
 * cases stay: they say which result it is.
 */
export function createMasking(masks: Masks): Conceal {
  const valuesOf = new Map<string, Set<string>>()
  return (event) => {
    if (event.type === 'run_started' || event.type === 'run_finished') return event
    const key = event.type === 'case_finished' ? event.result.key : event.key
    const text = keyText(key)
    const known = valuesOf.get(text) ?? new Set<string>()
    valuesOf.set(text, known)
    // What goes over the wire has names of the protocol in it, which are no values of the case.
    const values = event.type === 'exchange' ? new Set(known) : known
    // Only what came from outside has fields to mask: our own names are not looked at.
    mapEvent(withoutRaw(event), (value) => {
      collect(value, masks, [], values)
      return value
    })
    if (event.type === 'case_finished') valuesOf.delete(text)
    const hideValues = createRedact(values, { mask, shortest: shortestValue })
    const hidden = mapEvent(event, <T>(value: T) => maskValue(value, masks, [], hideValues) as T)
    return withKey(hidden, event)
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

function withKey(hidden: RunEvent, event: RunEvent): RunEvent {
  if (hidden.type === 'case_finished' && event.type === 'case_finished')
    return { ...hidden, result: { ...hidden.result, key: event.result.key } }
  return 'key' in hidden && 'key' in event ? ({ ...hidden, key: event.key } as RunEvent) : hidden
}

function isMasked({ fields }: Masks, path: readonly string[]): boolean {
  return fields.some((field) => field.every((name, index) => path.at(index - field.length) === name))
}

function collect(value: unknown, masks: Masks, path: readonly string[], values: Set<string>): void {
  if (isMasked(masks, path)) {
    for (const text of scalarsOf(value)) values.add(text)
    return
  }
  const data = typeof value === 'string' ? dataIn(value) : value
  if (Array.isArray(data)) for (const item of data) collect(item, masks, path, values)
  else if (isRecord(data))
    for (const [name, item] of Object.entries(data))
      collect(item, masks, [...path, name.toLowerCase()], values)
}

function scalarsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(scalarsOf) : []
}

/** Data that stands in a text, as models and tools write it. */
function dataIn(text: string): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined
}

function maskValue(value: unknown, masks: Masks, path: readonly string[], hideValues: Redact): unknown {
  if (isMasked(masks, path)) return mask
  if (typeof value === 'string') {
    const data = dataIn(value)
    const whole = data === undefined ? undefined : maskValue(data, masks, path, hideValues)
    return whole === data ? maskText(value, masks, hideValues) : JSON.stringify(whole)
  }
  if (typeof value === 'number') {
    const hidden = maskText(String(value), masks, hideValues)
    return hidden === String(value) ? value : hidden
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map((item) => maskValue(item, masks, path, hideValues))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const hidden = entries.map(
    ([name, item]) => [name, maskValue(item, masks, [...path, name.toLowerCase()], hideValues)] as const,
  )
  return hidden.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(hidden) : value
}

function maskText(text: string, { patterns }: Masks, hideValues: Redact): string {
  return patterns.reduce((rest, pattern) => pattern.replaceAll(rest, mask), hideValues(text))
}
