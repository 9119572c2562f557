/** One of many tests: its p-value, and the smallest p-value it could have had. */
export interface MultipleTest {
  p: number
  least: number
}

/**
 * Tarone's correction of p-values for multiple tests. Tests that could never become significant, because they have too
 * few runs, are not counted: they cannot cause a false alarm. The order stays.
 */
export function adjustByTarone(tests: readonly MultipleTest[], alpha: number): number[] {
  const leasts = tests.map(({ least }) => least).sort((one, other) => one - other)
  let counted = 1
  while (leasts.filter((least) => least < alpha / counted).length > counted) counted += 1
  return tests.map(({ p, least }) => (least < alpha / counted ? Math.min(1, p * counted) : 1))
}
