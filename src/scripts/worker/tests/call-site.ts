import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorPlace, fileUrlToPath, isUserFile } from '../../protocol/place.ts'

const ownFolder = `${dirname(fileURLToPath(import.meta.url))}${sep}`
/** Overrides the user's limit, which may be lower than the number of frames between an assertion and its caller. */
const frameLimit = 30

const OriginalError = Error
const { captureStackTrace } = Error
const { set } = Reflect

/** Captures the caller; its `file:line` is computed only when needed, because that is slow. */
export function captureSite(): () => string | undefined {
  const holder: { stack?: unknown } = {}
  ignoreErrors(() => withOwnSettings(() => captureStackTrace(holder)))
  return () => ignoreErrors(() => withOwnSettings(() => findSite(holder.stack)))
}

/** `file:line` of the topmost user code in an error's stack. */
export function findErrorSite(error: unknown): string | undefined {
  return ignoreErrors(() => {
    const place = errorPlace(error)
    if (place !== undefined) return `${place.file}:${place.line}`
    const { stack, message } = error as { stack?: unknown; message?: unknown }
    if (typeof stack !== 'string' || typeof message !== 'string') return undefined
    // The message may quote another stack.
    const start = stack.indexOf(message)
    return findSite(start === -1 ? stack : stack.slice(start + message.length))
  })
}

function ignoreErrors<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const frame = /^\s+at (?:.*?[( ])?((?:file:\/\/|\/|[A-Za-z]:[\\/]).*?):(\d+):\d+\)?$/

function findSite(stack: unknown): string | undefined {
  if (typeof stack !== 'string') return undefined
  for (const line of stack.split('\n')) {
    const [, name = '', number] = frame.exec(line) ?? []
    const file = fileUrlToPath(name) ?? name
    if (file !== '' && isUserCode(file)) return `${file}:${number}`
  }
  return undefined
}

/** Code run by `eval` has no file of its own; its caller has. */
function isUserCode(file: string): boolean {
  return isUserFile(file) && !file.startsWith(ownFolder) && !file.includes('<anonymous>')
}

/** A user's `prepareStackTrace` may turn a stack into something other than text. */
function withOwnSettings<Result>(work: () => Result): Result {
  const { stackTraceLimit, prepareStackTrace } = OriginalError
  set(OriginalError, 'stackTraceLimit', frameLimit)
  if (prepareStackTrace !== undefined) set(OriginalError, 'prepareStackTrace', undefined)
  try {
    return work()
  } finally {
    set(OriginalError, 'stackTraceLimit', stackTraceLimit)
    if (prepareStackTrace !== undefined) set(OriginalError, 'prepareStackTrace', prepareStackTrace)
  }
}
