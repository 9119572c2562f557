/** Rounded to one decimal. Only the whole is 100, and only nothing is 0. */
export function toPercent(part: number, whole: number): number {
  const rounded = Math.round((1000 * part) / whole) / 10
  if (part >= whole) return 100
  return Math.min(99.9, Math.max(part === 0 ? 0 : 0.1, rounded))
}
