export type Stability = 'stable' | 'mostly stable' | 'unstable' | 'highly unstable'

/** Classifies the percentage of runs that passed. */
export function classifyStability(passRate: number): Stability {
  if (passRate >= 100) return 'stable'
  if (passRate >= 80) return 'mostly stable'
  return passRate >= 50 ? 'unstable' : 'highly unstable'
}

/** The class in words for people: a case that never passes is not unstable. */
export function stabilityText(found: { passed: number; stability?: Stability }): string {
  const { passed, stability = '' } = found
  return passed === 0 && stability !== '' ? 'fails every time' : stability
}

/** How `consistency` is computed. */
export const consistencyMethod =
  'share of the most frequent output, text compared with normalised whitespace, data by value'
