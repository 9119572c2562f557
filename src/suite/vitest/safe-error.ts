import { defined } from '../../json/defined.ts'
import type { CasePlace } from './case-place.ts'
import { inspectValue, safeMessage, safeText, safeValue } from './safe-text.ts'

interface Shown {
  /** Where it is, if it has no stack that says so. */
  place?: CasePlace | undefined
  /** Puts the message among other words. */
  say?: (message: string) => string
}

/** An error as plain data, which is what vitest keeps of it. */
interface SafeFields {
  name: string
  message: string
  stack: string
  [field: string]: unknown
}

/** Causes may have causes, and be in a circle. */
const longestChain = 10

/**
 * A new error that says what was thrown, whatever it is, without secrets and control characters, and with its stack.
 * Nothing is assigned to what was thrown, which may be frozen. Never throws.
 */
export function safeError(thrown: unknown, shown: Shown = {}): Error {
  try {
    return copyError(thrown, shown, [])
  } catch {
    return copyError('an error that cannot be read', shown, [])
  }
}

/** Makes an error safe that vitest has kept as plain data, such as one of `expect.soft`. */
export function hideInKept(kept: object): void {
  hideInChain(kept, new Set())
}

function hideInChain(kept: unknown, seen: Set<unknown>): unknown {
  if (typeof kept !== 'object' || kept === null)
    return kept === undefined ? kept : safeMessage(inspectValue(kept))
  if (seen.has(kept)) return kept
  seen.add(kept)
  const safe = safeFields(kept)
  const compared = ['expected', 'actual'].map((field) => [safe[field], readThrown(kept, field)])
  // Its colours are those of vitest if what it compares has none.
  const isPlain = compared.every(([shown, original]) => shown !== undefined && shown === original)
  const cause = hideInChain(readThrown(kept, 'cause'), seen)
  const parts = readThrown(kept, 'errors')
  const errors = Array.isArray(parts) ? parts.map((part) => hideInChain(part, seen)) : undefined
  return Object.assign(
    kept,
    safe,
    defined({ cause, errors }),
    isPlain ? { diff: readThrown(kept, 'diff') } : {},
  )
}

function copyError(thrown: unknown, shown: Shown, around: readonly unknown[]): Error {
  if (around.includes(thrown) || around.length >= longestChain) return copyError('[circular]', {}, [])
  const inside = [...around, thrown]
  const cause = readThrown(thrown, 'cause') ?? undefined
  const fields = {
    ...safeFields(thrown, shown),
    ...(cause === undefined ? {} : { cause: copyError(cause, {}, inside) }),
  }
  const error = Object.assign(new Error(), fields)
  if (!(thrown instanceof AggregateError)) return error
  const parts = thrown.errors.map((part) => copyError(part, {}, inside))
  // Of such an error, vitest shows only the errors that it is made of.
  return Object.assign(new AggregateError([error, ...parts]), fields)
}

function safeFields(thrown: unknown, { place, say = (message) => message }: Shown = {}): SafeFields {
  const name = safeText(inspectValue(readThrown(thrown, 'name') ?? 'Error'))
  const said = inspectValue(readThrown(thrown, 'message') ?? thrown)
  const message = safeText(say(safeMessage(said)))
  const frames = listFrames(thrown, said) || describePlace(place)
  return {
    ...otherFields(thrown),
    name,
    message,
    stack: `${name}: ${message}${safeText(frames)}`,
    ...defined({
      expected: safeValue(readThrown(thrown, 'expected')),
      actual: safeValue(readThrown(thrown, 'actual')),
      diffOptions: readThrown(thrown, 'diffOptions'),
    }),
  }
}

/** Anything can be thrown, and a property may be a getter that throws. */
export function readThrown(thrown: unknown, name: string): unknown {
  try {
    return (thrown as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

/** The lines at the end of the stack. What is before them repeats the message, perhaps as it once was. */
function listFrames(thrown: unknown, message: string): string {
  const stack = readThrown(thrown, 'stack')
  if (typeof stack !== 'string') return ''
  const start = stack.indexOf(message)
  const lines = (start < 0 ? stack : stack.slice(start + message.length)).trimEnd().split('\n')
  const last = lines.findLastIndex((line) => !/^\s+at /.test(line))
  return lines
    .slice(last + 1)
    .map((line) => `\n${line}`)
    .join('')
}

function describePlace(place: CasePlace | undefined): string {
  return place === undefined ? '' : `\n    at ${place.file}:${place.line}:${place.column}`
}

const ownFields = new Set([
  'name',
  'message',
  'stack',
  'cause',
  'errors',
  'expected',
  'actual',
  'diffOptions',
])

/** What else an error says, such as a code or a status. Objects may be as large as a connection: they become texts. */
function otherFields(thrown: unknown): Record<string, unknown> {
  if (typeof thrown !== 'object' || thrown === null) return {}
  const names = Object.keys(thrown).filter((name) => !ownFields.has(name))
  return Object.fromEntries(names.map((name) => [safeText(name), safeField(readThrown(thrown, name))]))
}

function safeField(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === undefined || value === null)
    return value
  return safeMessage(inspectValue(value))
}
