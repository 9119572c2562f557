const bars = '▁▂▃▄▅▆▇█'
const unknown = '·'

/** One bar per value, from zero to `most`; a dot for an unknown value. */
export function sparkline(values: readonly (number | undefined)[], most = largest(values)): string {
  return values.map((value) => (value === undefined ? unknown : pickBar(value, most))).join('')
}

/** Only zero has the lowest bar and only `most` the highest: values close to them get a bar in between. */
function pickBar(value: number, most: number): string {
  if (value <= 0 || most <= 0) return bars.charAt(0)
  if (value >= most) return bars.charAt(bars.length - 1)
  const between = Math.round((value / most) * (bars.length - 1))
  return bars.charAt(Math.min(bars.length - 2, Math.max(1, between)))
}

function largest(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0)
}
