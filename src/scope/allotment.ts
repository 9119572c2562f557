import { setMaxListeners } from 'node:events'
import { InfrastructureError, TimeoutError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { awakeClock } from './awake-clock.ts'
import { type Deadline, startDeadline } from './deadline.ts'
import { TimeSpent } from './time-spent.ts'

/** The time given to a case or a part of it, and who used it. */
export interface Allotment {
  deadline: Deadline
  spent: TimeSpent
  /** The allotment that this one is a part of. */
  outer?: Allotment
}

export function allot(timeoutMs: number, parent: AbortSignal, outer?: Allotment): Allotment {
  const spent = new TimeSpent(() => awakeClock.now() - deadline.stoodStillMs)
  const deadline = startDeadline(timeoutMs, parent, {
    ...(outer === undefined ? {} : { outer: outer.deadline }),
    expired(message) {
      const why = spent.overdue()
      const culprit = spent.culprit(timeoutMs)
      return culprit === undefined
        ? new TimeoutError(why === undefined ? message : `${message}: ${why}`)
        : new InfrastructureError('timeout', `${message}, waiting for ${culprit}`)
    },
  })
  return { deadline, spent, ...defined({ outer }) }
}

/** The same allotment, which also ends when the signal is aborted. */
export function endBySignal(signal: AbortSignal, allotment: Allotment): Allotment {
  const either = AbortSignal.any([allotment.deadline.signal, signal])
  setMaxListeners(0, either)
  const own: Pick<Deadline, 'signal' | 'release'> = { signal: either, release: () => {} }
  const deadline: Deadline = Object.create(allotment.deadline, Object.getOwnPropertyDescriptors(own))
  return { ...allotment, deadline }
}

/** A call uses time of its own allotment and of all that contain it. */
export function beginCall({ spent, outer }: Allotment, call: Parameters<TimeSpent['begin']>[0]): () => void {
  const ends = [spent.begin(call), ...(outer === undefined ? [] : [beginCall(outer, call)])]
  return () => {
    for (const end of ends) end()
  }
}
