/** Checks that take more than a comparison. Cases name them: `scripts.checks.SameReference`. */

/** The reference that the user reads is the one in the data. */
export function SameReference(output: string) {
  const [, told] = /Reference: (\S+)/.exec(output) ?? []
  const [, kept] = /"reference": "(.*?)"/.exec(output) ?? []
  return { pass: told !== undefined && told === kept, message: `it told ${told} and kept ${kept}` }
}
