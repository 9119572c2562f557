/** `$1.25`, `$0.0042`: cents, or two significant digits for small amounts. */
export function formatDollars(amount: number): string {
  if (amount === 0) return '$0'
  if (amount >= 0.1) return `$${amount.toFixed(2)}`
  const digits = Math.min(10, 1 - Math.floor(Math.log10(amount)))
  return `$${amount.toFixed(digits)}`
}
