import { type PassingChange, passingChange } from '../analysis/compare/passing-change.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import type { Trials } from '../results/statistics/pass-k.ts'
import { classifyTrial } from '../results/trial.ts'
import type { AnyReport } from './report.ts'

/** The differences between two runs of the same cases. */
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

/**
 * Compares two reports of the same cases: which cases got better or worse, and how score, cost and duration changed.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { compareReports, createEvalSuite } from 'vivavoce'
 *
 * const cases = [{ id: 'loud', input: 'hello', expectedOutput: 'HELLO' }]
 * const suite = createEvalSuite({ agent: { execute: (text: string) => text } })
 * const before = await suite.run(cases)
 * const after = await suite.withAgent({ execute: (text) => text.toUpperCase() }).run(cases)
 *
 * const { improved, regressed, passRateDelta } = compareReports(before, after)
 * assert.deepEqual([improved, regressed, passRateDelta], [['loud'], [], 1])
 */
export function compareReports(before: AnyReport, after: AnyReport): ReportComparison {
  for (const { results, summary } of [before, after])
    if (results.length === 0 && summary.total > 0)
      throw new ConfigError({
        code: 'no_results',
        message: 'the results of a run with `keepResults: false` cannot be compared: they were not kept',
      })
  const [old, now] = [byId(before), byId(after)]
  const both = [...old].flatMap(([id, from]) => {
    const to = now.get(id)
    return to === undefined ? [] : [{ id, change: passingChange(countTrials(from), countTrials(to)) }]
  })
  const changed = (wanted: PassingChange) => both.flatMap(({ id, change }) => (change === wanted ? [id] : []))
  const delta = (figure: 'avgScore' | 'passRate' | 'cost') => {
    const [from, to] = [before.summary[figure], after.summary[figure]]
    return from === undefined || to === undefined ? undefined : to - from
  }
  return {
    ...defined({ scoreDelta: delta('avgScore'), passRateDelta: delta('passRate'), costDelta: delta('cost') }),
    durationDeltaMs: after.durationMs - before.durationMs,
    improved: changed('newly passing'),
    regressed: changed('newly failing'),
    undecided: changed('undecided'),
    onlyBefore: [...old.keys()].filter((id) => !now.has(id)),
    onlyAfter: [...now.keys()].filter((id) => !old.has(id)),
  }
}

type AnyResult = AnyReport['results'][number]

function byId({ results }: AnyReport): Map<string, AnyResult> {
  return new Map(results.map((result) => [result.id, result]))
}

/** A case counts once, however often it was played: with iterations it passed where all of them did. */
function countTrials(result: AnyResult): Trials {
  const trial = classifyTrial(result)
  return { runs: trial === undefined ? 0 : 1, passed: trial === 'passed' ? 1 : 0 }
}
