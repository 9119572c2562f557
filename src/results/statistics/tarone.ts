/** A test among many: what it found, and the least it could have found. */
export interface OneOfMany {
  p: number
  least: number
}

/**
 * Tarone's correction: what each p is worth when so many were looked at. Those that could never be as small as it takes, since
 * they have too few runs, are not counted: they can raise no false alarm. In the order given.
 */
export function tarone(tests: readonly OneOfMany[], alpha: number): number[] {
  const leasts = tests.map(({ least }) => least).sort((one, other) => one - other)
  let counted = 1
  while (leasts.filter((least) => least < alpha / counted).length > counted) counted += 1
  return tests.map(({ p, least }) => (least < alpha / counted ? Math.min(1, p * counted) : 1))
}
