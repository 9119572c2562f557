import { z } from 'zod'

/** Normalises texts before they are compared. */
export type Fold = (text: string) => string

export const keepCase: Fold = (text) => text

export const lowerCase: Fold = (text) => text.toLowerCase()

/** For text checks that can ignore upper and lower case. */
export const ignoreCaseField = z.boolean().optional().describe('`true`: ignore case.')

export function chooseFold(ignoreCase: boolean | undefined): Fold {
  return ignoreCase === true ? lowerCase : keepCase
}
