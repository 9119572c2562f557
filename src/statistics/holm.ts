/** Holm's correction: what each p is worth when so many were looked at. In the order given. */
export function holm(values: readonly number[]): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((one, other) => one.value - other.value)
  const adjusted = new Array<number>(values.length)
  let largest = 0
  for (const [rank, { value, index }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, value * (values.length - rank)))
    adjusted[index] = largest
  }
  return adjusted
}
