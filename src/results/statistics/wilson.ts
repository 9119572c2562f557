export interface Interval {
  low: number
  high: number
}

/** The 97.5th percentile of the normal distribution, for an interval that covers 95 %. */
const z95 = 1.959963984540054

/** Wilson's interval of a share, 0 to 1. It is valid for few trials too, and if all or none were hits. */
export function wilsonInterval(hits: number, count: number): Interval {
  const share = hits / count
  const squared = z95 ** 2
  const middle = share + squared / (2 * count)
  const width = z95 * Math.sqrt((share * (1 - share)) / count + squared / (4 * count ** 2))
  const scale = 1 + squared / count
  return {
    low: hits === 0 ? 0 : (middle - width) / scale,
    high: hits === count ? 1 : (middle + width) / scale,
  }
}
