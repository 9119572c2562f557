export type Stability = 'stable' | 'mostly stable' | 'unstable' | 'highly unstable'

/** By the percentage of runs that passed. */
export function stabilityOf(passRate: number): Stability {
  if (passRate >= 100) return 'stable'
  if (passRate >= 80) return 'mostly stable'
  return passRate >= 50 ? 'unstable' : 'highly unstable'
}

/** The class as people read it: nothing is unstable about a case that never passes. */
export function stabilityText(found: { passed: number; stability?: Stability }): string {
  const { passed, stability = '' } = found
  return passed === 0 && stability !== '' ? 'fails every time' : stability
}

/** How `consistency` is found. */
export const consistencyMethod =
  'share of the most frequent output, text with white space evened out, data by value'
