import { defined } from '../../json/defined.ts'
import { sameData } from '../../json/equal/find-difference.ts'
import { type ExactTest, exactTest, leastWorse, type Paired } from '../../results/statistics/exact-test.ts'
import { meanRate } from '../../results/statistics/mean-rate.ts'
import { rateDifference } from '../../results/statistics/rate-difference.ts'
import { tarone } from '../../results/statistics/tarone.ts'
import type { Interval } from '../../results/statistics/wilson.ts'
import type { CompareVerdict } from '../../results/summary.ts'
import type { CaseRuns } from './case-runs.ts'
import { type Pair, pairCases } from './pair.ts'
import { passingChange } from './passing-change.ts'
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
  /** It passes less often, by chance or not. */
  looksWorse: boolean
  /** That it passes as rarely by chance, after Tarone's correction for the cases that were looked at. */
  p: number
  /** The data say that this case has become worse. */
  regressed: boolean
}

export interface Comparison {
  verdict: CompareVerdict
  alpha: number
  /** Cases that could be judged on both sides, and are still the same. */
  compared: number
  /** Of one run of each case, it is McNemar's. */
  method: 'exact McNemar' | 'exact, paired by case'
  test: ExactTest
  /** Of the mean pass rates, -1 to 1, with its 95 % interval; absent where nothing could be compared. */
  difference?: Interval & { difference: number }
  baseRate?: number
  headRate?: number
  changes: CaseChange[]
  /** Runs of each case with which these rates would be a regression; absent where even many would not. */
  runsNeeded?: number
  /** What was written in the case has changed: it is another one now. */
  edited: Pair[]
  /** Could not be judged in one of the runs. */
  unjudged: Pair[]
  onlyBase: CaseRuns[]
  onlyHead: CaseRuns[]
  /** How many results the runs lack. */
  missing: { base: number; head: number }
  /** Of runs that stopped when the answer was clear, only so many of each case: the others depend on how they ended. */
  onlyFirst?: number
}

/** One of the two runs. */
export interface Side {
  cases: readonly CaseRuns[]
  /** Results that are not there. */
  missing: number
}

/** Told, but judged by nobody: durations and prices are whatever the day makes of them. */
const slower = { times: 1.5, ms: 200 }
const dearer = { times: 1.2 }

/** `alpha` is how often one may be told of a regression where there is none. */
export function compareRuns(base: Side, head: Side, alpha: number): Comparison {
  const { pairs, onlyBase, onlyHead } = pairCases(base.cases, head.cases)
  const edited = pairs.filter((pair) => pair.base.hash !== pair.head.hash)
  const same = pairs.filter((pair) => pair.base.hash === pair.head.hash)
  const isJudged = ({ base, head }: Pair) => passingChange(base.trials, head.trials) !== 'undecided'
  const judged = same.filter(isJudged)
  const trials = judged.map(trialsOf)
  const test = exactTest(trials)
  // Half of alpha is for the suite as a whole, half for its single cases: together they are wrong no more often.
  const share = alpha / 2
  const tests = trials.map((pair) => ({ p: exactTest([pair]).worse, least: leastWorse(pair) }))
  const adjusted = tarone(tests, share)
  const changes = judged
    .map((pair, index): CaseChange => {
      const [p, kinds] = [adjusted[index] ?? 1, kindsOf(pair)]
      return { ...pair, kinds, looksWorse: kinds.some(isForTheWorse), p, regressed: p < share }
    })
    .filter(({ kinds }) => kinds.length > 0)
    .sort((one, other) => rank(one) - rank(other))
  const verdict = verdictOf({ test, changes, compared: judged.length, missing: head.missing, share })
  const [before, after] = [
    meanRate(trials.map((each) => each.base)),
    meanRate(trials.map((each) => each.head)),
  ]
  return {
    verdict,
    alpha,
    compared: judged.length,
    method: trials.every((pair) => pair.base.runs === 1 && pair.head.runs === 1)
      ? 'exact McNemar'
      : 'exact, paired by case',
    test,
    ...defined({
      difference: rateDifference(trials),
      baseRate: before?.rate,
      headRate: after?.rate,
      runsNeeded: verdict === 'not enough runs' ? runsThatWouldTell(trials, alpha) : undefined,
    }),
    changes,
    edited,
    unjudged: same.filter((pair) => !isJudged(pair)),
    onlyBase,
    onlyHead,
    missing: { base: base.missing, head: head.missing },
  }
}

interface Found extends Pick<Comparison, 'test' | 'changes' | 'compared'> {
  /** Of the run after the change. */
  missing: number
  share: number
}

/** The first that holds. */
function verdictOf({ test, changes, compared, missing, share }: Found): CompareVerdict {
  if (compared === 0) return 'nothing compared'
  if (test.worse < share || changes.some(({ regressed }) => regressed)) return 'regression'
  if (missing > 0) return 'incomplete'
  if (test.better < share) return 'improvement'
  return changes.some(({ looksWorse }) => looksWorse) ? 'not enough runs' : 'no regression'
}

function isForTheWorse(kind: ChangeKind): boolean {
  return kind === 'newly failing' || kind === 'less often passing'
}

function trialsOf({ base, head }: Pair): Paired {
  return { base: base.trials, head: head.trials }
}

/** What needs a look first. */
function rank({ regressed, kinds: [first = 'changed output'] }: CaseChange): number {
  return regressed ? -1 : changeKinds.indexOf(first)
}

function kindsOf({ base, head }: Pair): ChangeKind[] {
  const [before, after] = [base, head].map(({ trials }) => trials.passed / trials.runs) as [number, number]
  const passing = passingChange(base.trials, head.trials)
  const found: [ChangeKind, boolean][] = [
    ...changeKinds.slice(0, 4).map((kind): [ChangeKind, boolean] => [kind, kind === passing]),
    ['flakier', isMixed(after, head) && !isMixed(before, base)],
    [
      'slower',
      head.durationMs >= base.durationMs * slower.times && head.durationMs - base.durationMs >= slower.ms,
    ],
    ['dearer', base.cost !== undefined && head.cost !== undefined && head.cost > base.cost * dearer.times],
    ['changed output', 'output' in base && 'output' in head && !sameData(base.output, head.output)],
  ]
  return found.flatMap(([kind, holds]) => (holds ? [kind] : []))
}

function isMixed(rate: number, { flaky }: CaseRuns): boolean {
  return (rate > 0 && rate < 1) || flaky > 0
}
