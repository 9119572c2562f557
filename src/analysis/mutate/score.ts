import { type Interval, wilsonInterval } from '../../results/statistics/wilson.ts'

export interface MutantCounts {
  killed: number
  survived: number
}

export interface Score extends MutantCounts {
  /** 0 to 1; undefined if nothing was judged. */
  share: number | undefined
  interval: Interval | undefined
}

export function scoreOf(counts: MutantCounts): Score {
  const { killed, survived } = counts
  const total = killed + survived
  return total === 0
    ? { ...counts, share: undefined, interval: undefined }
    : { ...counts, share: killed / total, interval: wilsonInterval(killed, total) }
}

export function addCounts(all: Iterable<MutantCounts>): MutantCounts {
  const sum = { killed: 0, survived: 0 }
  for (const { killed, survived } of all) {
    sum.killed += killed
    sum.survived += survived
  }
  return sum
}
