/** With one digit. Never 100 as long as one is missing, never 0 as long as one is there. */
export function percentOf(part: number, whole: number): number {
  const rounded = Math.round((1000 * part) / whole) / 10
  if (part >= whole) return 100
  return Math.min(99.9, Math.max(part === 0 ? 0 : 0.1, rounded))
}
