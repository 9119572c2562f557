import { placeOf } from './place.ts'
import type { ThrewFailure } from './protocol.ts'

const maxCauses = 4
const ownFolder = new URL('.', import.meta.url).href

/** Whatever was thrown, as data. Nothing in it may throw again, whatever the user threw. */
export function thrownFailure(error: unknown, depth = 0): ThrewFailure {
  try {
    return describe(error, depth)
  } catch {
    return { kind: 'threw', name: 'Error', message: 'an error that cannot be shown', stack: '' }
  }
}

function describe(error: unknown, depth: number): ThrewFailure {
  if (typeof error !== 'object' || error === null || !('message' in error)) {
    const message = `threw ${typeof error === 'object' ? JSON.stringify(error) : String(error)}`
    return { kind: 'threw', name: 'Error', message, stack: message }
  }
  const { name, stack, code, cause } = error as {
    name?: unknown
    stack?: unknown
    code?: unknown
    cause?: unknown
  }
  const place = placeOf(error)
  const message = `${error.message}${place === undefined ? '' : ` (${place.file}:${place.line}:${place.column})`}`
  return {
    kind: 'threw',
    name: typeof name === 'string' ? name : 'Error',
    message,
    stack: typeof stack === 'string' ? withoutOwnFrames(stack) : message,
    ...(typeof code === 'string' && { code }),
    ...(cause !== undefined && depth < maxCauses && { cause: thrownFailure(cause, depth + 1) }),
  }
}

/** A line of a stack that is viva's or Node's, of no help to the user. */
export function isOwnFrame(frame: string): boolean {
  return /^\s+at /.test(frame) && (frame.includes(ownFolder) || frame.includes('node:internal'))
}

function withoutOwnFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !isOwnFrame(line))
    .join('\n')
}
