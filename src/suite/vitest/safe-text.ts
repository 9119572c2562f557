import { inspect, stripVTControlCharacters } from 'node:util'
import { asJson } from '../../json/as-json.ts'
import { redactTexts } from '../../privacy/redact.ts'
import { printable } from '../../reporters/printable.ts'
import { hideSecrets } from '../secrets.ts'

/** Results have the values as they were made: what is printed of them must hide secrets and not steer the terminal. */
export function safeText(text: string): string {
  return printable(hideSecrets()()(text))
}

/** A message of an assertion, without the colours that vitest gives it. */
export function safeMessage(message: string): string {
  return safeText(stripVTControlCharacters(message))
}

/** The value itself, unless something in it must not be printed. */
export function safeValue(value: unknown): unknown {
  const json = asJson(value)
  const safe = redactTexts(hideSecrets()()(json), escapeCompared)
  return safe === json && !hidesUnsafe(value) ? value : safe
}

/** A line break of Windows that `printable` shortens would be a difference that nobody sees. */
function escapeCompared(text: string): string {
  return printable(text.replaceAll('\r', '\\x0d'))
}

/** JSON has only a part of an error, a pattern, or an object with its own `toJSON`. */
function hidesUnsafe(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const shown = inspectValue(value, Number.POSITIVE_INFINITY)
  return safeText(shown) !== shown
}

/** Any value as a text, on one line where it has no line breaks itself. Never throws. */
export function inspectValue(value: unknown, depth = 2): string {
  if (typeof value === 'string') return value
  try {
    return inspect(value, { depth, breakLength: Number.POSITIVE_INFINITY, maxStringLength: null })
  } catch {
    return '[unreadable]'
  }
}
