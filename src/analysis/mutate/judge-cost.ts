import type { CaseResult } from '../../results/result.ts'
import { pluralize } from '../../text/counted.ts'
import { formatDollars } from '../../text/dollars.ts'

/** What asking the models of checks will come to, going by what they cost in the recorded run. */
export class JudgeCost {
  #calls = 0
  #recorded = { calls: 0, priced: 0, cost: 0 }

  /** A case with so many checks that ask, which is judged so many times. */
  add(checks: number, times: number): void {
    this.#calls += checks * times
  }

  addRecorded({ usage }: Pick<CaseResult, 'usage'>): void {
    const { calls = 0, cost, unpricedCalls = 0 } = usage.judge ?? {}
    this.#recorded.calls += calls
    if (cost === undefined) return
    this.#recorded.priced += calls - unpricedCalls
    this.#recorded.cost += cost
  }

  /** `Judges: up to 240 calls, about $0.48 ($0.002 each in the recorded run)` */
  text(): string {
    const { priced, cost } = this.#recorded
    const calls = `Judges: up to ${pluralize(this.#calls, 'call')}`
    if (this.#calls === 0) return 'Judges: no check asks a model'
    if (priced === 0)
      return `${calls}; what they cost is unknown: the recorded run has no price for its judges`
    const each = cost / priced
    return `${calls}, about ${formatDollars(each * this.#calls)} (${formatDollars(each)} each in the recorded run)`
  }
}
