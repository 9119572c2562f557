import { InfrastructureError } from '../errors.ts'
import { untilAborted } from '../scope/deadline.ts'
import type { Scope } from '../scope/scope.ts'
import type { AbortState } from '../scope/stop.ts'
import { ServerQuota } from './server-quota.ts'

export interface Limits {
  /** How many calls may run at once. */
  concurrency?: number
  /** Calls begin at least a minute divided by this number apart. */
  requestsPerMinute?: number
}

/** A server that asks for a longer wait is called again, and each case hears of it itself. */
const maxHoldMs = 60_000

interface Permit {
  given: boolean
  /** Set while someone waits for it. */
  tell?: () => void
}

/** Starts calls to one model: not too many at once, not too soon after another, first come, first served. */
export class Limiter {
  readonly #concurrency: number
  readonly #gapMs: number
  readonly #share: ((stop: AbortState) => Promise<() => void>) | undefined
  readonly #waiting = new Set<Permit>()
  /** Empty unless somebody tells it what the server says. */
  readonly quota = new ServerQuota()
  #running = 0
  #notBefore = 0
  #timer: NodeJS.Timeout | undefined

  /** `share`: waits for a permit that other processes may want too, and returns what gives it back. */
  constructor(
    { concurrency, requestsPerMinute }: Limits = {},
    share?: (stop: AbortState) => Promise<() => void>,
  ) {
    this.#share = share
    this.#concurrency = concurrency ?? Number.POSITIVE_INFINITY
    this.#gapMs = requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute
  }

  /** Makes one attempt when there is room for it; until then the clock of the case stands still. */
  async run<T>(scope: Scope, attempt: () => Promise<T>): Promise<T> {
    const permit: Permit = { given: false }
    if (this.#waiting.size === 0 && this.#hasRoom()) this.#give(permit)
    else {
      this.#waiting.add(permit)
      this.#serve()
    }
    let giveBack: (() => void) | undefined
    try {
      if (!permit.given) await scope.standStill((signal) => untilAborted(waitForPermit(permit), signal))
      const share = this.#share
      if (share !== undefined) giveBack = await scope.standStill((stop) => share(stop))
      return await attempt()
    } catch (error) {
      this.#heed(error)
      throw error
    } finally {
      giveBack?.()
      // Also when it was given at the very moment its caller stopped waiting.
      if (permit.given) this.#running -= 1
      if (this.#waiting.delete(permit) || this.#waiting.size > 0) this.#serve()
    }
  }

  #hasRoom(): boolean {
    return this.#running < this.#concurrency && this.#earliestStart() <= performance.now()
  }

  #earliestStart(): number {
    return Math.max(this.#notBefore, this.quota.notBefore(this.#running))
  }

  #give(permit: Permit): void {
    this.#running += 1
    this.#notBefore = performance.now() + this.#gapMs
    permit.given = true
  }

  #serve(): void {
    clearTimeout(this.#timer)
    for (const permit of this.#waiting) {
      if (this.#running >= this.#concurrency) return
      const waitMs = this.#earliestStart() - performance.now()
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#serve(), waitMs)
        return
      }
      this.#waiting.delete(permit)
      this.#give(permit)
      permit.tell?.()
    }
  }

  /** When one call is told to come back later, the other calls wait as well. */
  #heed(error: unknown): void {
    const waitMs = error instanceof InfrastructureError ? (error.retryAfterMs ?? 0) : 0
    if (waitMs <= maxHoldMs) this.#notBefore = Math.max(this.#notBefore, performance.now() + waitMs)
  }
}

function waitForPermit(permit: Permit): Promise<void> {
  return new Promise((resolve) => {
    if (permit.given) resolve()
    else permit.tell = resolve
  })
}
