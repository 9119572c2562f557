import { textOrJson } from '../json/json.ts'
import { cutText, shorten } from '../text/shorten.ts'

/** The words of reasons: values and lists shortened so that a reason stays one line a person reads. */

const valueLimit = 80

/** A value as JSON, shortened: `"type of expense"`, `{"status":"dra…`. */
export function show(value: unknown, limit = valueLimit): string {
  if (typeof value === 'string')
    return value.length > limit ? `"${escapeQuotes(cutText(value, limit))}…"` : JSON.stringify(value)
  return shorten(compactJson(value), limit)
}

/**
 * Two values that differ, each as `show` has it. Where both are long and begin alike, what is shown begins shortly before
 * they part: two starts that are the same say nothing. Of characters that only look the same, the code points are shown.
 */
export function showApart(actual: unknown, expected: unknown): [string, string] {
  const [one, other] = [textOrJson(actual), textOrJson(expected)]
  if (one === other) return [show(actual), show(expected)]
  const common = commonStart(one, other)
  const [shown, wanted] = showFrom(common, [actual, one], [expected, other])
  if (one.normalize() !== other.normalize()) return [shown, wanted]
  return [`${shown} (${codePoints(one, common)})`, `${wanted} (${codePoints(other, common)})`]
}

type Value = [value: unknown, text: string]

function showFrom(common: number, [actual, one]: Value, [expected, other]: Value): [string, string] {
  if (common + partedAt < valueLimit) return [show(actual), show(expected)]
  const from = (text: string) => {
    const rest = text.slice(common - partedAt).replace(/^[\udc00-\udfff]/, '')
    return `"…${escapeQuotes(shorten(rest, valueLimit))}"`
  }
  return [from(one), from(other)]
}

/** Of the first character that is composed in another way, with its marks. */
function codePoints(text: string, from: number): string {
  const [character = ''] = text.slice(from).match(/^.?\p{M}*/su) ?? []
  const codes = [...character].map((each) => (each.codePointAt(0) ?? 0).toString(16).toUpperCase())
  return codes.map((code) => `U+${code.padStart(4, '0')}`).join(' ')
}

const partedAt = 20

function commonStart(one: string, other: string): number {
  let length = 0
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1
  return length
}

export function compactJson(value: unknown): string {
  return JSON.stringify(value) ?? ''
}

/** `a, b, c and 4 more` */
export function listed(names: readonly string[], limit = 5): string {
  const shown = names.slice(0, limit).map((name) => shorten(name, valueLimit))
  const rest = names.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

function escapeQuotes(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
