import { durationRangeProblem, parseDuration } from '../text/duration.ts'
import { findNearest } from '../text/nearest.ts'

// Each says what is wrong with the value of a flag, or returns undefined.

export const wholeNumber = (least: number, most: number) => (value: string) =>
  /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
    ? undefined
    : `must be a whole number from ${least} to ${most}`

export const numberOrAuto = (value: string) =>
  value === 'auto' ? undefined : wholeNumber(1, 1000)(value)?.concat(', or auto')

/** Written as a decimal number: `0.9`, not `90%`. */
export const between = (least: number, most: number, example: string) => (value: string) =>
  /^\d*\.?\d+$/.test(value) && Number(value) > least && Number(value) <= most
    ? undefined
    : `must be a number above ${least}, at most ${most}, like ${example}`

export const rate = between(0, 1, '0.9')

/** Of `--alpha`, here and in `viva compare`. */
export const alphaProblem = between(0, 0.5, '0.05')

export const amount = (value: string) =>
  /^\d*\.?\d+$/.test(value) && Number(value) > 0
    ? undefined
    : 'must be an amount of dollars above 0, like 2.50'

export const duration = (value: string) =>
  parseDuration(value) === undefined
    ? (durationRangeProblem(value) ?? 'must be a duration like 30s, 1m30s or 250ms')
    : undefined

export const share = (value: string) =>
  /^\d+(\.\d+)?%$/.test(value) && Number.parseFloat(value) <= 100 ? undefined : 'must be a share like 5%'

/** The i-th of n parts. */
export const shardProblem = (value: string) => {
  const [index = 0, of = 0] = /^\d{1,4}\/\d{1,4}$/.test(value) ? value.split('/').map(Number) : []
  return index >= 1 && index <= of && of <= mostShards
    ? undefined
    : `must be i/n, where i is from 1 to n and n at most ${mostShards}, like 2/8`
}

const mostShards = 1000

/** One of these values, which a shell completes. */
export const choice = (...values: string[]) => ({
  values,
  problem(value: string): string | undefined {
    if (values.includes(value)) return undefined
    const guess = findNearest(value, values)
    return `must be one of ${values.join(', ')}${guess === undefined ? '' : ` (did you mean "${guess}"?)`}`
  },
})
