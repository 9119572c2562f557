import type { Problem } from '../../errors.ts'
import { findNearest } from '../../text/nearest.ts'

/** Known keys of an object in a file of the app: those that viva reads, and those that only the Yao engine reads. */
export interface KnownKeys {
  read: readonly string[]
  engine: readonly string[]
}

/**
 * Finds keys that are probably typos of a key that viva reads. Other unknown keys are ignored, because the Yao engine may
 * know them.
 */
export function findMisspeltKeys(
  object: object,
  { read, engine }: KnownKeys,
  where: string,
): Pick<Problem, 'message' | 'hint'>[] {
  return Object.keys(object).flatMap((key) => {
    const guess = read.includes(key) || engine.includes(key) ? undefined : findNearest(key, read)
    if (guess === undefined) return []
    return { message: `unknown key "${key}"${where}`, hint: `did you mean "${guess}"?` }
  })
}
