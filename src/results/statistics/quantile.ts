/** The smallest value that is at least as large as that share of the values (nearest rank). */
export function findQuantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
}
