import { isRecord } from '../../json/json.ts'
import { maskedText } from '../../text/masked.ts'
import { mapParts } from '../redact.ts'
import { replaceFieldsInText } from './fields-in-text.ts'
import { mapJsonInText } from './json-in-text.ts'
import { KnownValues } from './known-values.ts'
import { listScalars } from './list-scalars.ts'
import type { Masks } from './parse-masks.ts'

/**
 * Learns masked values and redacts them. `path` is where a value was found: the names of fields from the outer to the
 * inner one, in lower case.
 */
export class MaskRedactor {
  readonly #masks: Masks
  readonly #values: KnownValues
  /** Matches of patterns: the same text may occur elsewhere encoded or cut off. */
  readonly #matches: KnownValues
  readonly #replaceFields: ReturnType<typeof replaceFieldsInText> | undefined
  /** Whether a text may have a masked field in it; its letters may be escaped. */
  readonly #mayHaveField: RegExp | undefined
  /** The masks that have matched something, as the user wrote them. */
  readonly matched = new Set<string>()

  /** With `shared`, what is learned goes to that redactor as well. */
  constructor(masks: Masks, shared?: MaskRedactor) {
    this.#masks = masks
    this.#values = shared ? shared.#values : new KnownValues(maskedText)
    this.#matches = shared ? shared.#matches : new KnownValues(maskedText)
    const names = masks.fields.flatMap((field) => field.names.at(-1) ?? [])
    if (names.length === 0) return
    this.#replaceFields = replaceFieldsInText(names)
    this.#mayHaveField = new RegExp([...names, '\\\\'].join('|'), 'i')
  }

  learn(value: unknown, path: readonly string[]): void {
    const field = this.#findField(path)
    if (field !== undefined) {
      this.matched.add(field)
      for (const text of listScalars(value)) this.#values.add(text)
      return
    }
    if (typeof value === 'string') this.#learnText(value, path)
    else if (typeof value === 'number') this.#learnMatches(String(value))
    else if (Array.isArray(value)) for (const item of value) this.learn(item, path)
    else if (isRecord(value))
      for (const [name, item] of Object.entries(value)) {
        this.#learnMatches(name)
        this.learn(item, [...path, name.toLowerCase()])
      }
  }

  redact(value: unknown, path: readonly string[]): unknown {
    if (this.#findField(path) !== undefined) return maskedText
    if (typeof value === 'string') return this.redactText(value, path)
    if (typeof value === 'number') {
      const redacted = this.#redactLearned(String(value))
      return redacted === String(value) ? value : redacted
    }
    return mapParts(
      value,
      (name) => this.#redactLearned(name),
      (part, name) => this.redact(part, name === undefined ? path : [...path, name.toLowerCase()]),
    )
  }

  /** Models and tools write data into texts: its fields are redacted like any other. */
  redactText(text: string, path: readonly string[]): string {
    if (this.#mayHaveField?.test(text) !== true) return this.#redactLearned(text)
    const fields = this.#findFieldsInText(text)
    const redacted = mapJsonInText(text, {
      data: (value) => this.redact(value, path),
      text: (rest) =>
        this.#replaceFields?.(rest, ({ name, value }) => (fields.has(name) ? maskedText : value)) ?? rest,
    })
    return this.#redactLearned(redacted)
  }

  #learnText(text: string, path: readonly string[]): void {
    this.#learnMatches(text)
    if (this.#mayHaveField?.test(text) !== true) return
    const fields = this.#findFieldsInText(text)
    mapJsonInText(text, {
      data: (value) => {
        this.learn(value, path)
        return value
      },
      text: (rest) => {
        this.#replaceFields?.(rest, ({ name, value, isQuoted }) => {
          const field = fields.get(name)
          if (field !== undefined) this.matched.add(field)
          // Without quotes, an ordinary word may follow the colon.
          if (field !== undefined && (isQuoted || /[@\d]/.test(value))) this.#values.add(value)
          return value
        })
        return rest
      },
    })
  }

  #learnMatches(text: string): void {
    for (const { written, pattern } of this.#masks.patterns) {
      let rest = text
      for (let match = pattern.find(rest); match; match = pattern.find(rest)) {
        this.matched.add(written)
        this.#matches.add(match)
        rest = rest.slice(rest.indexOf(match) + match.length)
      }
    }
  }

  #redactLearned(text: string): string {
    const rest = this.#values.redact(text)
    return this.#matches.redact(
      this.#masks.patterns.reduce((left, { pattern }) => pattern.replaceAll(left, maskedText), rest),
    )
  }

  #findField(path: readonly string[]): string | undefined {
    return this.#masks.fields.find(({ names }) =>
      names.every((name, index) => path.at(index - names.length) === name),
    )?.written
  }

  /** Masks by the last name of their field. A text has no reliable nesting: the outer names need only occur in it. */
  #findFieldsInText(text: string): Map<string, string> {
    const words = text.toLowerCase()
    const fields = this.#masks.fields.filter(({ names }) => names.every((name) => words.includes(name)))
    return new Map(fields.map(({ names, written }) => [names.at(-1) ?? '', written]))
  }
}
