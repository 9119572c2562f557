import { manyRepairs, type UsageByRole } from '../results/usage.ts'

/** A warning for runs in which many answers of judges could not be read at first. */
export function repairsText(usage: UsageByRole): string | undefined {
  const many = manyRepairs(usage)
  if (many === undefined) return undefined
  return (
    `${many.repaired} of ${many.answers} verdicts could not be read at first, and the judge was asked again: use a connector ` +
    'with structured output, or end its prompt with "Answer with the JSON object only"'
  )
}
