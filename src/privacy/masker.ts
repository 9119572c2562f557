import { isRecord } from '../json/json.ts'
import { fieldsInText } from './fields-in-text.ts'
import { HiddenValues } from './hidden-values.ts'
import { mapJsonIn } from './json-in-text.ts'
import type { Masks } from './read-masks.ts'
import { scalarsIn } from './scalars-in.ts'

const mask = '[masked]'

/** Finds and hides. `path` is where a value stands: names from the outer to the inner one, in small letters. */
export class Masker {
  readonly #masks: Masks
  readonly #values: HiddenValues
  /** What patterns have found: it may stand elsewhere encoded or cut off. */
  readonly #matches: HiddenValues
  readonly #inText: ReturnType<typeof fieldsInText> | undefined
  /** Whether a text may hold a masked field; letters may be escaped. */
  readonly #mayHold: RegExp | undefined
  /** The masks that have found something, as they are written. */
  readonly found = new Set<string>()

  /** `whole` is told of all that is found. */
  constructor(masks: Masks, whole?: Masker) {
    this.#masks = masks
    this.#values = whole ? whole.#values : new HiddenValues(mask)
    this.#matches = whole ? whole.#matches : new HiddenValues(mask)
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
    const fields = this.#fieldsIn(text)
    const hidden = mapJsonIn(text, {
      data: (value) => this.hide(value, path),
      text: (rest) => this.#inText?.(rest, ({ name, value }) => (fields.has(name) ? mask : value)) ?? rest,
    })
    return this.#hideFound(hidden)
  }

  #collectText(text: string, path: readonly string[]): void {
    this.#collectMatches(text)
    if (this.#mayHold?.test(text) !== true) return
    const fields = this.#fieldsIn(text)
    mapJsonIn(text, {
      data: (value) => {
        this.collect(value, path)
        return value
      },
      text: (rest) => {
        this.#inText?.(rest, ({ name, value, isQuoted }) => {
          const field = fields.get(name)
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

  /** By their last names. Where nothing says what a field stands in, it is enough that the outer names are there too. */
  #fieldsIn(text: string): Map<string, string> {
    const words = text.toLowerCase()
    const fields = this.#masks.fields.filter(({ names }) => names.every((name) => words.includes(name)))
    return new Map(fields.map(({ names, written }) => [names.at(-1) ?? '', written]))
  }
}
