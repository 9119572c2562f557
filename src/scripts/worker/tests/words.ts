import { format } from 'node:util'
import { apply, isError } from '../../../json/equal/untouched.ts'
import { shorten } from '../../../text/shorten.ts'
import { describeThrownError, unshowable } from './show-value.ts'

const maxReasonLength = 2000

/** Formats text as `console.log` does. */
export function formatLog(args: readonly unknown[]): string {
  try {
    return apply(format, undefined, args)
  } catch {
    return unshowable
  }
}

/** The reason given by an author; errors appear with their message, not their stack. Undefined when there is none. */
export function formatGivenReason(args: readonly unknown[]): string | undefined {
  try {
    const words: unknown[] = []
    for (let index = 0; index < args.length; index++) {
      const word = args[index]
      if (word !== undefined && word !== '')
        words[words.length] = isError(word) ? describeThrownError(word) : word
    }
    return words.length === 0 ? undefined : shorten(formatLog(words), maxReasonLength)
  } catch {
    return unshowable
  }
}

/** Describes what was thrown, for a reason. */
export function describeThrownReason(error: unknown): string {
  return shorten(describeThrownError(error), maxReasonLength)
}
