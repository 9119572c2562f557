import { deepEqual } from '../json.ts'
import { type ExactTest, exactTest, type Paired } from '../statistics/exact-test.ts'
import { holm } from '../statistics/holm.ts'
import { rateDifference } from '../statistics/rate-difference.ts'
import type { Interval } from '../statistics/wilson.ts'
import type { CaseRuns } from './case-runs.ts'
import { type Pair, pairCases } from './pair.ts'
import { runsThatWouldTell } from './runs-needed.ts'

/** What is different about a case. */
export const changeKinds = [
  'newly failing',
  'newly passing',
  'less often passing',
  'more often passing',
  'flakier',
  'slower',
  'dearer',
  'changed output',
] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface CaseChange extends Pair {
  kinds: ChangeKind[]
  /** That it passes as rarely by chance, after Holm's correction for all the cases that were looked at. */
  p: number
  /** The data say that this case has become worse. */
  regressed: boolean
}

/**
 * `regression`: the data say that it has become worse. `improvement`: better. `not enough runs`: something looks worse, and
 * might as well be chance. `no regression`: nothing looks worse.
 */
export type CompareVerdict = 'regression' | 'improvement' | 'not enough runs' | 'no regression'

export interface Comparison {
  verdict: CompareVerdict
  alpha: number
  /** Cases that could be judged on both sides, and are still the same. */
  compared: number
  /** Of one run of each case, it is McNemar's. */
  method: 'exact McNemar' | 'exact, paired by case'
  test: ExactTest
  /** Of the mean pass rates, -1 to 1, with its 95 % interval. */
  difference: Interval & { difference: number }
  baseRate: number
  headRate: number
  changes: CaseChange[]
  /** Runs of each case with which these rates would be a regression; absent where even many would not. */
  runsNeeded?: number
  /** What was written in the case has changed: it is another one now. */
  edited: Pair[]
  /** Could not be judged in one of the runs. */
  unjudged: Pair[]
  onlyBase: CaseRuns[]
  onlyHead: CaseRuns[]
}

/** Told, but judged by nobody: durations and prices are whatever the day makes of them. */
const slower = { times: 1.5, ms: 200 }
const dearer = { times: 1.2 }

/** `alpha` is how often one may be told of a regression where there is none. */
export function compareRuns(base: readonly CaseRuns[], head: readonly CaseRuns[], alpha: number): Comparison {
  const { pairs, onlyBase, onlyHead } = pairCases(base, head)
  const edited = pairs.filter((pair) => pair.base.hash !== pair.head.hash)
  const same = pairs.filter((pair) => pair.base.hash === pair.head.hash)
  const isJudged = (pair: Pair) => pair.base.trials.runs > 0 && pair.head.trials.runs > 0
  const judged = same.filter(isJudged)
  const trials = judged.map(trialsOf)
  const test = exactTest(trials)
  const adjusted = holm(trials.map((pair) => exactTest([pair]).worse))
  const changes = judged
    .map((pair, index): CaseChange => {
      const p = adjusted[index] ?? 1
      return { ...pair, kinds: kindsOf(pair), p, regressed: p < alpha / 2 }
    })
    .filter(({ kinds }) => kinds.length > 0)
    .sort((one, other) => rank(one) - rank(other))
  // Half of alpha is for the suite as a whole, half for its single cases: together they are wrong no more often.
  const isWorse = test.worse < alpha / 2 || changes.some(({ regressed }) => regressed)
  const looksWorse = changes.some(({ kinds }) => kinds.some((kind) => worse.includes(kind)))
  const verdict = isWorse
    ? 'regression'
    : looksWorse
      ? 'not enough runs'
      : test.better < alpha / 2
        ? 'improvement'
        : 'no regression'
  const runsNeeded = verdict === 'not enough runs' ? runsThatWouldTell(trials, alpha) : undefined
  const rates = (side: 'base' | 'head') =>
    trials.reduce((sum, pair) => sum + pair[side].passed / pair[side].runs, 0) / trials.length
  return {
    verdict,
    alpha,
    compared: judged.length,
    method: trials.every((pair) => pair.base.runs === 1 && pair.head.runs === 1)
      ? 'exact McNemar'
      : 'exact, paired by case',
    test,
    difference: rateDifference(trials),
    baseRate: rates('base'),
    headRate: rates('head'),
    changes,
    ...(runsNeeded !== undefined && { runsNeeded }),
    edited,
    unjudged: same.filter((pair) => !isJudged(pair)),
    onlyBase,
    onlyHead,
  }
}

const worse: readonly ChangeKind[] = ['newly failing', 'less often passing']

function trialsOf({ base, head }: Pair): Paired {
  return { base: base.trials, head: head.trials }
}

/** What needs a look first. */
function rank({ regressed, kinds: [first = 'changed output'] }: CaseChange): number {
  return regressed ? -1 : changeKinds.indexOf(first)
}

function kindsOf({ base, head }: Pair): ChangeKind[] {
  const [before, after] = [base, head].map(({ trials }) => trials.passed / trials.runs) as [number, number]
  const mostly = (rate: number) => rate >= 0.5
  const found: [ChangeKind, boolean][] = [
    ['newly failing', mostly(before) && !mostly(after)],
    ['newly passing', !mostly(before) && mostly(after)],
    ['less often passing', after < before && mostly(before) === mostly(after)],
    ['more often passing', after > before && mostly(before) === mostly(after)],
    ['flakier', isMixed(after, head) && !isMixed(before, base)],
    [
      'slower',
      head.durationMs >= base.durationMs * slower.times && head.durationMs - base.durationMs >= slower.ms,
    ],
    ['dearer', base.cost !== undefined && head.cost !== undefined && head.cost > base.cost * dearer.times],
    ['changed output', 'output' in base && 'output' in head && !deepEqual(base.output, head.output)],
  ]
  return found.flatMap(([kind, holds]) => (holds ? [kind] : []))
}

function isMixed(rate: number, { flaky }: CaseRuns): boolean {
  return (rate > 0 && rate < 1) || flaky > 0
}
