import { z } from 'zod'

/** Brings texts that count as the same to the same form. */
export type Fold = (text: string) => string

export const asWritten: Fold = (text) => text

export const lowerCase: Fold = (text) => text.toLowerCase()

/** For checks on text that can leave upper and lower case aside. */
export const ignoreCaseField = z
  .boolean()
  .optional()
  .describe('`true`: ignore the difference between upper and lower case.')

export function foldFor(ignoreCase: boolean | undefined): Fold {
  return ignoreCase === true ? lowerCase : asWritten
}
