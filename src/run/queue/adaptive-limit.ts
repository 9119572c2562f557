import { pause } from '../../scope/deadline.ts'
import { type EndedCall, isPushBack, type Pace } from '../../scope/pace.ts'
import type { AbortState } from '../../scope/stop.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { LatencySample } from './latency-sample.ts'

const startAt = 4
/** The upper bound of `--parallel auto`. */
export const maxAutoParallel = 256
/** A round has at least this many calls: fewer say nothing about the latency. */
const leastCalls = 4
/** How much slower calls may be than at best for the limit to grow, and how much slower they must be for it to shrink. */
const nearBest = Math.log(1.1)
const tooSlow = Math.log(1.25)
/** The number of rounds without a refusal after which the number that was refused is tried again. */
const calmRoundsToProbe = 5

/**
 * Finds out how many cases may run at once. It works in rounds, as TCP does: after as many calls as the limit allows at
 * once, it compares their latency with the lowest so far. While the latency stays the same, throughput grows with the
 * limit, which doubles at first and later grows by its square root. Where calls have become slower, they wait in a queue
 * of the server: the limit shrinks in proportion. A refusal, a timeout or a cut connection shrinks it at once.
 */
export class AdaptiveLimit implements ConcurrencyLimit {
  readonly #most: number
  #limit: number
  #underWay = 0
  /** Cases that pause before they repeat a call. */
  #pausing = 0
  #peak = 0
  #goOn: () => void = () => {}
  /** Cases that wait until they may repeat a call, after their pause: first come, first served. */
  readonly #waiting = new Set<() => void>()
  #round = { sample: new LatencySample(), startedAt: 0, isFull: false }
  #isDoubling = true
  #lowest = Number.POSITIVE_INFINITY
  /** The limit and the latency when calls began to be too slow. */
  #slowSince: { limit: number; mean: number } | undefined
  #shrunkAt = 0
  /** With this many under way, the server refused one. */
  #refusedAt = Number.POSITIVE_INFINITY
  #calmRounds = 0

  constructor(most = maxAutoParallel) {
    this.#most = most
    this.#limit = Math.min(startAt, most)
  }

  get limit(): number {
    return this.#limit
  }

  hasRoom(underWay: number): boolean {
    this.#underWay = underWay
    this.#peak = Math.max(this.#peak, underWay)
    this.#releaseWaiting()
    this.#beginRoundIfDrained()
    this.#round.isFull ||= this.#active - this.#pausing >= this.#limit
    return this.#active < this.#limit
  }

  onRoom(goOn: () => void): void {
    this.#goOn = goOn
  }

  readonly adaptive = {
    pace: {
      ended: (call) => this.#ended(call),
      wait: (ms, signal) => this.#wait(ms, signal),
    } satisfies Pace,
    peak: () => this.#peak,
  }

  get #active(): number {
    return this.#underWay - this.#waiting.size
  }

  #ended({ role, durationMs, error }: EndedCall): void {
    const startedAt = performance.now() - durationMs
    if (isPushBack(error)) {
      // One refusal per round trip counts: the others came of the same mistake.
      if (startedAt >= this.#shrunkAt) this.#backOff()
    } else if (error === undefined && role === 'agent' && startedAt >= this.#round.startedAt) {
      this.#round.sample.add(durationMs)
      if (this.#round.sample.count >= Math.max(leastCalls, this.#limit)) this.#adapt()
    }
  }

  #backOff(): void {
    const refused = Math.min(this.#limit, Math.max(1, this.#active - this.#pausing))
    // A server that refuses the only call does not mind the number of calls at once.
    this.#refusedAt = refused === 1 ? Number.POSITIVE_INFINITY : refused
    this.#calmRounds = 0
    this.#slowSince = undefined
    this.#shrink(refused * (this.#isDoubling ? 0.5 : 0.7))
  }

  /** At the end of a round. */
  #adapt(): void {
    const { mean, margin } = this.#round.sample.summarize()
    const lowest = Math.min(this.#lowest, mean + margin)
    this.#lowest = this.#isSlowByItself(mean) ? mean + margin : lowest
    this.#calmRounds += 1
    const slowdown = mean - margin - this.#lowest
    if (slowdown > tooSlow) {
      this.#slowSince ??= { limit: this.#limit, mean }
      this.#shrink(this.#limit * Math.max(0.5, Math.exp(nearBest - slowdown)))
    } else if (slowdown > nearBest) this.#set(this.#limit)
    else {
      this.#slowSince = undefined
      this.#set(this.#round.isFull ? this.#larger() : this.#limit)
    }
  }

  /** If calls are hardly faster with half as many at once, they are slow for another reason. */
  #isSlowByItself(mean: number): boolean {
    if (this.#slowSince === undefined) return false
    const decrease = Math.log(this.#slowSince.limit / this.#limit)
    return this.#limit === 1 || (decrease >= Math.LN2 && this.#slowSince.mean - mean < decrease / 2)
  }

  #larger(): number {
    const larger = this.#limit + (this.#isDoubling ? this.#limit : Math.ceil(Math.sqrt(this.#limit)))
    if (larger < this.#refusedAt) return larger
    if (this.#calmRounds < calmRoundsToProbe) return this.#refusedAt - 1
    const probe = this.#refusedAt
    this.#refusedAt = Number.POSITIVE_INFINITY
    return probe
  }

  #shrink(to: number): void {
    this.#isDoubling = false
    this.#shrunkAt = performance.now()
    this.#set(to)
  }

  #set(limit: number): void {
    this.#limit = Math.min(this.#most, Math.max(1, Math.floor(limit)))
    this.#round = { sample: new LatencySample(), startedAt: Number.POSITIVE_INFINITY, isFull: false }
    this.#releaseWaiting()
    this.#beginRoundIfDrained()
    this.#goOn()
  }

  /** After the limit has shrunk, calls are still slow because of those that are too many. */
  #beginRoundIfDrained(): void {
    const { startedAt } = this.#round
    if (startedAt === Number.POSITIVE_INFINITY && this.#active <= this.#limit)
      this.#round.startedAt = performance.now()
  }

  async #wait(ms: number, signal: AbortState): Promise<void> {
    this.#pausing += 1
    try {
      await pause(ms, signal)
    } finally {
      this.#pausing -= 1
    }
    await new Promise<void>((resolve) => {
      const proceed = () => {
        this.#waiting.delete(proceed)
        signal.removeEventListener('abort', proceed)
        resolve()
      }
      this.#waiting.add(proceed)
      signal.addEventListener('abort', proceed)
      if (signal.aborted) proceed()
      this.#releaseWaiting()
    })
  }

  #releaseWaiting(): void {
    for (const proceed of this.#waiting) {
      if (this.#active >= this.#limit) return
      proceed()
    }
  }
}
