import type { Problem } from '../../errors.ts'
import { nearest } from '../../text/nearest.ts'

/** Keys of one object in a file of the app: those that viva reads, and those that only the engine does. */
export interface KnownKeys {
  read: readonly string[]
  engine: readonly string[]
}

/**
 * Keys that are meant for one that viva reads. The engine may know more keys than we do, so one that is like no other
 * is left alone.
 */
export function misspeltKeys(
  object: object,
  { read, engine }: KnownKeys,
  where: string,
): Pick<Problem, 'message' | 'hint'>[] {
  return Object.keys(object).flatMap((key) => {
    const guess = read.includes(key) || engine.includes(key) ? undefined : nearest(key, read)
    if (guess === undefined) return []
    return { message: `unknown key "${key}"${where}`, hint: `did you mean "${guess}"?` }
  })
}
