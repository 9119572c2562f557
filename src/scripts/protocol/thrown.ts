import { shorten } from '../../text/shorten.ts'
import { errorPlace, fileUrlToPath, isUserFile, type Place } from './place.ts'
import type { ThrewFailure } from './protocol.ts'
import { readProviderCall } from './provider-call.ts'

const maxCauses = 4
const maxTextLength = 20_000
const ownFolder = new URL('.', import.meta.url).href

/** Describes anything that was thrown as data. It must not throw itself, whatever the user threw. */
export function describeThrown(error: unknown, depth = 0): ThrewFailure {
  try {
    return describeError(error, depth)
  } catch {
    return { kind: 'threw', name: 'Error', message: 'an error that cannot be shown', stack: '' }
  }
}

function describeError(error: unknown, depth: number): ThrewFailure {
  if (typeof error !== 'object' || error === null || !('message' in error)) {
    const message = `threw ${typeof error === 'object' ? JSON.stringify(error) : String(error)}`
    return { kind: 'threw', name: 'Error', message, stack: message }
  }
  const fields = error as Record<string, unknown>
  // The AI SDK's retry error has the last error instead of a cause.
  const { name, stack, code, vivaInfrastructure, lastError, cause = lastError } = fields
  const providerCall = readProviderCall(error)
  const place = errorPlace(error)
  const message = `${error.message}${place === undefined ? '' : ` (${place.file}:${place.line}:${place.column})`}`
  return {
    kind: 'threw',
    name: typeof name === 'string' ? name : 'Error',
    message: shorten(message, maxTextLength),
    stack: shorten(typeof stack === 'string' ? withoutOwnFrames(stack) : message, maxTextLength),
    ...(typeof code === 'string' && { code }),
    ...(typeof vivaInfrastructure === 'string' && { infrastructure: vivaInfrastructure }),
    ...(providerCall !== undefined && { providerCall }),
    ...(cause !== undefined && depth < maxCauses && { cause: describeThrown(cause, depth + 1) }),
  }
}

/** Whether a line of a stack belongs to viva or Node and does not help the user. */
export function isOwnFrame(frame: string): boolean {
  return /^\s+at /.test(frame) && (frame.includes(ownFolder) || frame.includes('node:internal'))
}

/** The topmost line of a stack that is in the user's own code. */
export function findPlaceInFrames(stack: string): Place | undefined {
  for (const frame of stack.split('\n')) {
    const [, name = '', line, column] = /^\s+at (?:.*\()?(?:async )?(.+?):(\d+):(\d+)\)?$/.exec(frame) ?? []
    const file = fileUrlToPath(name) ?? name
    if (file === '' || file.startsWith('node:') || isOwnFrame(frame) || !isUserFile(file)) continue
    return { file, line: Number(line), column: Number(column) }
  }
  return undefined
}

function withoutOwnFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => !isOwnFrame(line))
    .join('\n')
}
