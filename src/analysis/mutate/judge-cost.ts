import type { AuthoredCase } from '../../cases/case-schema.ts'
import { listAssertions } from '../../cases/places.ts'
import { type Assertion, asksModel } from '../../checks/list.ts'
import { sortedJson } from '../../json/json.ts'
import type { CaseResult } from '../../results/result.ts'
import { pluralize } from '../../text/counted.ts'
import { formatDollars } from '../../text/dollars.ts'
import { type MutantLimits, makeMutants } from './mutants.ts'
import type { Suite } from './operator.ts'

/** What asking the models of checks will come to at most, going by what they cost in the recorded run. */
export class JudgeCost {
  #calls = 0
  #recorded = { calls: 0, priced: 0, cost: 0 }

  /** A case with its recorded results, each of which is judged, and damaged if it passes. */
  add(
    authored: AuthoredCase,
    results: readonly CaseResult[],
    suite: Suite,
    limits: Pick<MutantLimits, 'mostOfCase' | 'detectAwaiting'>,
  ): void {
    for (const result of results) this.#addRecorded(result)
    const calls = results.map((result) => countMostCalls(authored, result))
    const most = Math.max(0, ...calls)
    if (most === 0) return
    const mutants = Math.min(limits.mostOfCase, countMutants(results, suite, limits))
    this.#calls += calls.reduce((sum, each) => sum + each, 0) + most * mutants
  }

  #addRecorded({ usage }: Pick<CaseResult, 'usage'>): void {
    const { calls = 0, cost, unpricedCalls = 0 } = usage.judge ?? {}
    this.#recorded.calls += calls
    if (cost === undefined) return
    this.#recorded.priced += calls - unpricedCalls
    this.#recorded.cost += cost
  }

  /** `Judges: up to 240 calls, at most about $0.48 ($0.002 each in the recorded run)` */
  text(): string {
    const { priced, cost } = this.#recorded
    const calls = `Judges: up to ${pluralize(this.#calls, 'call')}`
    if (this.#calls === 0) return 'Judges: no check asks a model'
    if (priced === 0)
      return `${calls}; what they cost is unknown: the recorded run has no price for its judges`
    const each = cost / priced
    return `${calls}, at most about ${formatDollars(each * this.#calls)} (${formatDollars(each)} each in the recorded run)`
  }
}

/** Which of the results pass is not known yet. Those of the same answers are damaged once. */
function countMutants(results: readonly CaseResult[], suite: Suite, limits: MutantLimits): number {
  const distinct = new Map(
    results.map((result) => [sortedJson(result.view.turns.map(({ reply }) => reply)), result]),
  )
  return [...distinct.values()].reduce(
    (sum, result) => sum + makeMutants([result], suite, limits).mutants.length,
    0,
  )
}

/** The most calls that the checks make in one conversation: scripts of checks as many as in the recorded run. */
function countMostCalls(authored: AuthoredCase, { view, usage }: Pick<CaseResult, 'view' | 'usage'>): number {
  return Math.max(countModelCalls(authored, view.turns.length), usage.judge?.calls ?? 0)
}

/** The most calls of models that checks, checkpoints and conditions make in a conversation of so many turns. */
export function countModelCalls(authored: AuthoredCase, turns: number): number {
  return listAssertions(authored).reduce((sum, { path: [key], assertion }) => {
    const isAskedEachTurn = key === 'checkpoints' || key === 'terminate_when'
    return sum + countCallsOf(assertion, turns) * (isAskedEachTurn ? turns : 1)
  }, 0)
}

/** An answer that is no verdict is asked for a second time. */
const mostAnswers = 2

function countCallsOf(assertion: Assertion, turns: number): number {
  const { scope, assertions = [], samples = 1 } = assertion as Partial<Asking>
  const own =
    assertions.length === 0
      ? asksModel(assertion)
        ? samples * mostAnswers
        : 0
      : assertions.reduce((sum, each) => sum + countCallsOf(each, turns), 0)
  return own * (scope === 'any' || scope === 'all' ? turns : 1)
}

/** The fields that decide how often models are asked. */
interface Asking {
  scope: 'any' | 'all'
  assertions: Assertion[]
  samples: number
}
