import { isRecord } from '../json.ts'
import type { RunStart } from '../results/summary.ts'
import type { RunEvent } from '../run-event.ts'
import type { Turn } from '../transcript/turn.ts'
import type { Conceal } from './conceal.ts'
import { fieldsInText } from './fields-in-text.ts'
import { HiddenValues } from './hidden-values.ts'
import { mapJsonIn } from './json-in-text.ts'
import type { Masks } from './read-masks.ts'
import { mapEvent } from './redact-event.ts'
import { scalarsIn } from './scalars-in.ts'

const mask = '[masked]'

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
  const learn = (event: RunEvent, masker = known) => {
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
    learn: (event) => learn(event),
    conceal(event) {
      if (event.type === 'run_finished') return event
      if (event.type === 'run_started') return { ...event, start: startWithout(event.start, known) }
      if (event.type !== 'exchange') {
        learn(event)
        return hideIn(event, known)
      }
      // What goes over the wire has names of the protocol in it, which are no values of the case: they are soon forgotten.
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

/** Finds and hides. `path` is where a value stands: names from the outer to the inner one, in small letters. */
class Masker {
  readonly #masks: Masks
  readonly #values = new HiddenValues(mask)
  /** What patterns have found: it may stand elsewhere encoded or cut off. */
  readonly #matches = new HiddenValues(mask)
  readonly #inText: ReturnType<typeof fieldsInText> | undefined
  /** Whether a text may hold a masked field; letters may be escaped. */
  readonly #mayHold: RegExp | undefined
  readonly found = new Set<string>()

  constructor(masks: Masks) {
    this.#masks = masks
    const names = masks.fields.flatMap((field) => field.names.at(-1) ?? [])
    if (names.length === 0) return
    this.#inText = fieldsInText(names)
    this.#mayHold = new RegExp([...names, '\\\\'].join('|'), 'i')
  }

  collect(value: unknown, path: readonly string[]): void {
    const field = this.#fieldAt(path)
    if (field !== undefined) {
      this.found.add(field)
      for (const text of scalarsIn(value)) this.#values.add(text)
      return
    }
    if (typeof value === 'string') this.#collectText(value, path)
    else if (typeof value === 'number') this.#collectMatches(String(value))
    else if (Array.isArray(value)) for (const item of value) this.collect(item, path)
    else if (isRecord(value))
      for (const [name, item] of Object.entries(value)) {
        this.#collectMatches(name)
        this.collect(item, [...path, name.toLowerCase()])
      }
  }

  hide(value: unknown, path: readonly string[]): unknown {
    if (this.#fieldAt(path) !== undefined) return mask
    if (typeof value === 'string') return this.hideText(value, path)
    if (typeof value === 'number') {
      const hidden = this.#hideFound(String(value))
      return hidden === String(value) ? value : hidden
    }
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const items = value.map((item) => this.hide(item, path))
      return items.some((item, index) => item !== value[index]) ? items : value
    }
    const entries = Object.entries(value)
    const hidden = entries.map(
      ([name, item]) => [this.#hideFound(name), this.hide(item, [...path, name.toLowerCase()])] as const,
    )
    const isSame = hidden.every(
      ([name, item], index) => name === entries[index]?.[0] && item === entries[index]?.[1],
    )
    return isSame ? value : Object.fromEntries(hidden)
  }

  /** Data in it has fields like any other, as models and tools write it. */
  hideText(text: string, path: readonly string[]): string {
    if (this.#mayHold?.test(text) !== true) return this.#hideFound(text)
    const hidden = mapJsonIn(text, {
      data: (value) => this.hide(value, path),
      text: (rest) =>
        this.#inText?.(rest, ({ name, value }) => (this.#fieldNamed(name, text) ? mask : value)) ?? rest,
    })
    return this.#hideFound(hidden)
  }

  #collectText(text: string, path: readonly string[]): void {
    this.#collectMatches(text)
    if (this.#mayHold?.test(text) !== true) return
    mapJsonIn(text, {
      data: (value) => {
        this.collect(value, path)
        return value
      },
      text: (rest) => {
        this.#inText?.(rest, ({ name, value, isQuoted }) => {
          const field = this.#fieldNamed(name, text)
          if (field !== undefined) this.found.add(field)
          // Any word may follow a colon.
          if (field !== undefined && (isQuoted || /[@\d]/.test(value))) this.#values.add(value)
          return value
        })
        return rest
      },
    })
  }

  #collectMatches(text: string): void {
    for (const { written, pattern } of this.#masks.patterns) {
      let rest = text
      for (let match = pattern.find(rest); match; match = pattern.find(rest)) {
        this.found.add(written)
        this.#matches.add(match)
        rest = rest.slice(rest.indexOf(match) + match.length)
      }
    }
  }

  #hideFound(text: string): string {
    const rest = this.#values.hide(text)
    return this.#matches.hide(
      this.#masks.patterns.reduce((left, { pattern }) => pattern.replaceAll(left, mask), rest),
    )
  }

  #fieldAt(path: readonly string[]): string | undefined {
    return this.#masks.fields.find(({ names }) =>
      names.every((name, index) => path.at(index - names.length) === name),
    )?.written
  }

  /** Where nothing says what a field stands in, it is enough that the outer names are there too. */
  #fieldNamed(name: string, text: string): string | undefined {
    const words = text.toLowerCase()
    return this.#masks.fields.find(
      ({ names }) => names.at(-1) === name && names.every((each) => words.includes(each)),
    )?.written
  }
}
