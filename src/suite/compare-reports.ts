import { ConfigError } from '../errors.ts'
import { trialOf } from '../results/trial.ts'
import type { AnyReport } from './report.ts'

/** What became of the same cases in two runs. */
export interface ReportComparison {
  /** Of the average scores; absent where one of them has none. */
  scoreDelta?: number
  /** Of the pass rates, -1 to 1. */
  passRateDelta?: number
  /** Absent when it is not known what one of them cost. */
  costDelta?: number
  durationDeltaMs: number
  /** Ids of cases that failed and now pass. */
  improved: string[]
  /** Ids of cases that passed and now fail by the agent's fault. */
  regressed: string[]
  /** Ids of cases that could not be judged in one of the runs. */
  undecided: string[]
  onlyBefore: string[]
  onlyAfter: string[]
}

export function compareReports(before: AnyReport, after: AnyReport): ReportComparison {
  for (const { results, summary } of [before, after])
    if (results.length === 0 && summary.total > 0)
      throw new ConfigError({
        code: 'no_results',
        message: 'the results of a run with `keepResults: false` cannot be compared: they were not kept',
      })
  const [old, now] = [byId(before), byId(after)]
  const both = [...old.keys()].filter((id) => now.has(id))
  const verdict = (results: typeof old, id: string) => {
    const result = results.get(id)
    return result && trialOf(result)
  }
  const verdicts = both.map((id) => ({ id, from: verdict(old, id), to: verdict(now, id) }))
  const named = (wanted: (each: (typeof verdicts)[number]) => boolean) =>
    verdicts.filter(wanted).map(({ id }) => id)
  const scoreDelta = delta(before.summary.avgScore, after.summary.avgScore)
  const passRateDelta = delta(before.summary.passRate, after.summary.passRate)
  const costDelta = delta(before.summary.cost, after.summary.cost)
  return {
    ...(scoreDelta !== undefined && { scoreDelta }),
    ...(passRateDelta !== undefined && { passRateDelta }),
    ...(costDelta !== undefined && { costDelta }),
    durationDeltaMs: after.durationMs - before.durationMs,
    improved: named(({ from, to }) => from === 'failed' && to === 'passed'),
    regressed: named(({ from, to }) => from === 'passed' && to === 'failed'),
    undecided: named(({ from, to }) => from === undefined || to === undefined),
    onlyBefore: [...old.keys()].filter((id) => !now.has(id)),
    onlyAfter: [...now.keys()].filter((id) => !old.has(id)),
  }
}

function byId({ results }: AnyReport): Map<string, AnyReport['results'][number]> {
  return new Map(results.map((result) => [result.id, result]))
}

function delta(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from
}
