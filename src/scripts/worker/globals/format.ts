import { inspect } from 'node:util'
import { stringify } from '../../../json/equal/untouched.ts'

const verb = /%([-+# 0]*)(\d+)?(?:\.(\d+))?([a-zA-Z%])/g

/** Go's `fmt.Sprintf`, for log lines. Objects are shown as JSON, and unused values are appended. */
export function format(template: unknown, values: readonly unknown[]): string {
  let used = 0
  const text = showPlain(template).replace(
    verb,
    (written, flags: string, width: string | undefined, precision: string | undefined, letter: string) => {
      if (letter === '%') return '%'
      const show = verbs[letter]
      if (show === undefined) return written
      if (used >= values.length) return `%!${letter}(MISSING)`
      const value = values[used]
      used += 1
      const digits = precision === undefined ? undefined : Number(precision)
      return pad(show(value, { digits, sharp: flags.includes('#') }), flags, Number(width ?? 0))
    },
  )
  return [text, ...values.slice(used).map(showPlain)].join(' ')
}

interface Shape {
  digits: number | undefined
  /** Written with `#`: as it would appear in a program. */
  sharp: boolean
}

type Show = (value: unknown, shape: Shape) => string

const verbs: Record<string, Show | undefined> = {
  v: (value, { sharp }) => (sharp ? showQuoted(value) : showPlain(value)),
  s: (value, { digits }) => showPlain(value).slice(0, digits),
  q: (value) => stringify(showPlain(value)),
  d: numeric('d', (value) => (typeof value === 'bigint' ? String(value) : String(Math.trunc(value)))),
  f: numeric('f', (value, { digits = 6 }) => Number(value).toFixed(Math.min(digits, 100))),
  e: numeric('e', (value, { digits = 6 }) => Number(value).toExponential(Math.min(digits, 100))),
  g: numeric('g', (value) => String(value)),
  t: (value) => (typeof value === 'boolean' ? String(value) : formatMismatch('t', value)),
  x: (value) => hexadecimal(value),
  X: (value) => hexadecimal(value).toUpperCase(),
  T: (value) => (value === null ? 'null' : typeof value),
}

function numeric(letter: string, show: (value: number | bigint, shape: Shape) => string): Show {
  return (value, shape) =>
    typeof value === 'number' || typeof value === 'bigint'
      ? show(value, shape)
      : formatMismatch(letter, value)
}

/** As in Go, a wrong verb must not hide the value. */
function formatMismatch(letter: string, value: unknown): string {
  return `%!${letter}(${value === null ? 'null' : typeof value}=${showPlain(value)})`
}

function hexadecimal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint')
    return (typeof value === 'bigint' ? value : Math.trunc(value)).toString(16)
  return Buffer.from(showPlain(value)).toString('hex')
}

function pad(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width)
  const zeros = flags.includes('0') && /^[-\d]/.test(text)
  if (!zeros) return text.padStart(width)
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0')
}

function showQuoted(value: unknown): string {
  return typeof value === 'string' ? stringify(value) : showPlain(value)
}

function showPlain(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || value instanceof Error) return toSafeText(value)
  try {
    return stringify(value) ?? inspect(value)
  } catch {
    return inspect(value)
  }
}

/** An error thrown by the user may be any object. */
function toSafeText(value: unknown): string {
  try {
    return String(value)
  } catch {
    return inspect(value)
  }
}
