import { defined } from '../../json/defined.ts'
import { sameData } from '../../json/equal/find-difference.ts'
import { type ExactTest, exactTest, leastWorse, type Paired } from '../../results/statistics/exact-test.ts'
import { meanRate } from '../../results/statistics/mean-rate.ts'
import { rateDifference } from '../../results/statistics/rate-difference.ts'
import { adjustByTarone } from '../../results/statistics/tarone.ts'
import type { Interval } from '../../results/statistics/wilson.ts'
import type { CompareVerdict, RunOrigin } from '../../results/summary.ts'
import type { CaseRuns } from './case-runs.ts'
import { type NamedCase, type Pair, pairCases } from './pair.ts'
import { passingChange } from './passing-change.ts'
import { findRunsNeeded } from './runs-needed.ts'

/** The ways in which a case can change. */
export const changeKinds = [
  'newly failing',
  'newly passing',
  'less often passing',
  'more often passing',
  'flakier',
  'slower',
  'more expensive',
  'changed output',
] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface CaseChange extends Pair {
  kinds: ChangeKind[]
  /** It passes less often, perhaps by chance. */
  looksWorse: boolean
  /** The probability of so few passes by chance, after Tarone's correction for the number of cases. */
  p: number
  /** The data show that this case became worse. */
  regressed: boolean
}

export interface Comparison {
  verdict: CompareVerdict
  alpha: number
  /** The number of unchanged cases that could be judged on both sides. */
  compared: number
  /** With one run of each case, the exact test is McNemar's. */
  method: 'exact McNemar' | 'exact, paired by case'
  test: ExactTest
  /** The difference of the mean pass rates, -1 to 1, with its 95 % interval; absent when nothing could be compared. */
  difference?: Interval & { difference: number }
  baseRate?: number
  headRate?: number
  changes: CaseChange[]
  /** The runs per case with which these rates would be a regression; absent if even many would not be enough. */
  runsNeeded?: number
  /** Cases that were edited between the runs. */
  edited: Pair[]
  /** One of the runs has graded the conversations of the other: only the checks differ, not the agent. */
  sameConversations?: true
  /** Cases that could not be judged in one of the runs. */
  unjudged: Pair[]
  onlyBase: CaseRuns[]
  onlyHead: CaseRuns[]
  /** The number of cases that the new run carried over: nothing has changed, so they are in no test. */
  carriedOver?: number
  /** The number of cases that the baseline carried over, so that there is nothing to compare the new results with. */
  onlyRunNow?: number
  /** The number of missing results. */
  missing: { base: number; head: number }
  /** What the results were made from, for runs that were not live. */
  origins: { base?: RunOrigin; head?: RunOrigin }
  /** With `--runs auto` only the first runs of each case are compared: how many there are depends on the results. */
  onlyFirst?: number
}

/** One of the two runs. */
export interface Side {
  cases: readonly CaseRuns[]
  /** The number of missing results. */
  missing: number
  /** Absent for a live run. */
  origin?: RunOrigin
  /** Cases that did not run, because nothing had changed since they passed (`--changed`). */
  carriedOver?: readonly NamedCase[]
}

/** Reported, but no reason for a verdict: durations and prices vary from day to day. */
const slower = { times: 1.5, ms: 200 }
const moreExpensive = { times: 1.2 }

/** `alpha` is the accepted probability of reporting a regression where there is none. */
export function compareRuns(base: Side, head: Side, alpha: number): Comparison {
  const { pairs, onlyBase, onlyHead, carried, onlyRunNow } = pairCases(base, head)
  const isGrading = [base, head].some(({ origin }) => origin?.kind === 'graded')
  const isSameTalk = (pair: Pair) => isGrading && pair.base.sessionId === pair.head.sessionId
  // Other checks of the same conversation are what such a comparison is about.
  const isSame = (pair: Pair) => pair.base.hash === pair.head.hash || isSameTalk(pair)
  const edited = pairs.filter((pair) => !isSame(pair))
  const same = pairs.filter(isSame)
  const isJudged = ({ base, head }: Pair) => passingChange(base.trials, head.trials) !== 'undecided'
  const judged = same.filter(isJudged)
  const trials = judged.map(pairTrials)
  const test = exactTest(trials)
  // Half of alpha is for the suite as a whole, half for single cases: together they keep the error rate at alpha.
  const share = alpha / 2
  const tests = trials.map((pair) => ({ p: exactTest([pair]).worse, least: leastWorse(pair) }))
  const adjusted = adjustByTarone(tests, share)
  const changes = judged
    .map((pair, index): CaseChange => {
      const [p, kinds] = [adjusted[index] ?? 1, classifyChanges(pair)]
      return { ...pair, kinds, looksWorse: kinds.some(isWorseKind), p, regressed: p < share }
    })
    .filter(({ kinds }) => kinds.length > 0)
    .sort((one, other) => rank(one) - rank(other))
  const verdict = decideVerdict({
    test,
    changes,
    compared: judged.length,
    missing: head.missing,
    share,
    carried,
  })
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
      runsNeeded: verdict === 'not enough runs' ? findRunsNeeded(trials, alpha) : undefined,
    }),
    changes,
    edited,
    ...(same.length > 0 && same.every(isSameTalk) && { sameConversations: true as const }),
    unjudged: same.filter((pair) => !isJudged(pair)),
    onlyBase,
    onlyHead,
    ...defined({ carriedOver: carried || undefined, onlyRunNow: onlyRunNow || undefined }),
    missing: { base: base.missing, head: head.missing },
    origins: defined({ base: base.origin, head: head.origin }),
  }
}

interface Found extends Pick<Comparison, 'test' | 'changes' | 'compared'> {
  /** Missing results of the run after the change. */
  missing: number
  share: number
  carried: number
}

/** The first rule that applies decides. */
function decideVerdict({ test, changes, compared, missing, share, carried }: Found): CompareVerdict {
  if (compared === 0 && carried === 0) return 'nothing compared'
  if (test.worse < share || changes.some(({ regressed }) => regressed)) return 'regression'
  if (missing > 0) return 'incomplete'
  if (test.better < share) return 'improvement'
  return changes.some(({ looksWorse }) => looksWorse) ? 'not enough runs' : 'no regression'
}

function isWorseKind(kind: ChangeKind): boolean {
  return kind === 'newly failing' || kind === 'less often passing'
}

function pairTrials({ base, head }: Pair): Paired {
  return { base: base.trials, head: head.trials }
}

/** The lowest rank is listed first. */
function rank({ regressed, kinds: [first = 'changed output'] }: CaseChange): number {
  return regressed ? -1 : changeKinds.indexOf(first)
}

function classifyChanges({ base, head }: Pair): ChangeKind[] {
  const [before, after] = [base, head].map(({ trials }) => trials.passed / trials.runs) as [number, number]
  const passing = passingChange(base.trials, head.trials)
  const found: [ChangeKind, boolean][] = [
    ...changeKinds.slice(0, 4).map((kind): [ChangeKind, boolean] => [kind, kind === passing]),
    ['flakier', isMixed(after, head) && !isMixed(before, base)],
    [
      'slower',
      head.durationMs >= base.durationMs * slower.times && head.durationMs - base.durationMs >= slower.ms,
    ],
    [
      'more expensive',
      base.cost !== undefined && head.cost !== undefined && head.cost > base.cost * moreExpensive.times,
    ],
    ['changed output', 'output' in base && 'output' in head && !sameData(base.output, head.output)],
  ]
  return found.flatMap(([kind, holds]) => (holds ? [kind] : []))
}

function isMixed(rate: number, { flaky }: CaseRuns): boolean {
  return (rate > 0 && rate < 1) || flaky > 0
}
