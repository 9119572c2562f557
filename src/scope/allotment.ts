import { InfrastructureError, TimeoutError } from '../errors.ts'
import { awakeClock } from './awake-clock.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { type AbortState, Stop } from './stop.ts'
import { TimeSpent } from './time-spent.ts'

/** The time given to a case or a part of it, and who used it. */
export interface Allotment {
  deadline: Deadline
  spent: TimeSpent
  /** The allotment that this one is a part of. */
  outer?: Allotment | undefined
}

export function allot(timeoutMs: number, parent: AbortState, outer?: Allotment): Allotment {
  const spent = new TimeSpent(() => awakeClock.now() - deadline.stoodStillMs)
  const deadline = startDeadline(timeoutMs, parent, {
    outer: outer?.deadline,
    expired(message) {
      const why = spent.overdue()
      const culprit = spent.culprit(timeoutMs)
      return culprit === undefined
        ? new TimeoutError(why === undefined ? message : `${message}: ${why}`)
        : new InfrastructureError('timeout', `${message}, waiting for ${culprit}`)
    },
  })
  return { deadline, spent, outer }
}

/** The same allotment, which also ends when the signal is aborted. */
export function endBySignal(signal: AbortState, allotment: Allotment): Allotment {
  return { ...allotment, deadline: new EarlierDeadline(signal, allotment.deadline) }
}

/** The time of another deadline, which may end before. */
class EarlierDeadline implements Deadline {
  readonly stop = new Stop()
  readonly #whole: Deadline
  readonly #leave: (() => void)[]

  constructor(signal: AbortState, whole: Deadline) {
    this.#whole = whole
    this.#leave = [whole.stop, signal].map((each) => this.stop.follow(each))
  }

  get at(): number {
    return this.#whole.at
  }

  get stoodStillMs(): number {
    return this.#whole.stoodStillMs
  }

  standStill(): () => void {
    return this.#whole.standStill()
  }

  refund(ms: number): void {
    this.#whole.refund(ms)
  }

  runAhead(ms: number): void {
    this.#whole.runAhead(ms)
  }

  extend(ms: number): void {
    this.#whole.extend(ms)
  }

  release(): void {
    for (const leave of this.#leave) leave()
  }
}

/** A call uses time of its own allotment and of all that contain it. */
export function beginCall({ spent, outer }: Allotment, call: Parameters<TimeSpent['begin']>[0]): () => void {
  const end = spent.begin(call)
  if (outer === undefined) return end
  const endOuter = beginCall(outer, call)
  return () => {
    end()
    endOuter()
  }
}
