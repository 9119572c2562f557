import { setMaxListeners } from 'node:events'
import { TimeoutError } from '../errors.ts'
import { shortDuration } from '../text/duration.ts'
import { awakeClock } from './awake-clock.ts'

/** A point in time, and a signal that is aborted at that time or earlier with its parent's. */
export interface Deadline {
  /** Milliseconds since the epoch; it moves on while the clock stands still. */
  readonly at: number
  readonly signal: AbortSignal
  /** How long the clock has stood still so far. */
  readonly stoodStillMs: number
  /** Stops this clock and that of `outer` until the returned function is called. It runs again after the last such call. */
  standStill(): () => void
  /** Takes back time that has passed, from this clock and from that of `outer`. */
  refund(ms: number): void
  /** Releases the timer and the listener on the parent. */
  release(): void
}

export interface DeadlineOptions {
  /** The deadline around this one, whose clock stands still when this one's does. */
  outer?: Deadline
  /** Makes the error that is the reason of the abort. */
  expired?(message: string): Error
}

/** The maximum of Node's timers, 24 days; a longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** Calls back after the process has been awake for this long, unless the returned function is called first. */
export function startTimer(ms: number, callBack: () => void): () => void {
  const release = awakeClock.watch()
  const end = awakeClock.now() + ms
  let timer: NodeJS.Timeout | undefined
  const wait = (left: number) => {
    timer = setTimeout(ring, Math.min(Math.ceil(left), maxTimerMs))
  }
  // After a suspension, this may be the first callback that runs.
  const ring = () => {
    const left = end - awakeClock.now()
    if (left > 0) return wait(left)
    release()
    callBack()
  }
  wait(ms)
  return () => {
    clearTimeout(timer)
    release()
  }
}

export function startDeadline(
  timeoutMs: number,
  parent: AbortSignal,
  { outer, expired = (message) => new TimeoutError(message) }: DeadlineOptions = {},
): Deadline {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const timer = new StoppableTimer(timeoutMs, () => controller.abort(expired(timeoutMessage(timeoutMs))))
  const leave = follow(parent, controller)
  return {
    get at() {
      return Math.round(Date.now() + timer.leftMs)
    },
    get stoodStillMs() {
      return timer.stoodStillMs
    },
    signal: controller.signal,
    standStill() {
      timer.stop()
      const outerGoesOn = outer?.standStill()
      let standing = true
      return () => {
        if (!standing) return
        standing = false
        outerGoesOn?.()
        timer.goOn()
      }
    },
    refund(ms) {
      timer.refund(ms)
      outer?.refund(ms)
    },
    release() {
      timer.release()
      leave()
    },
  }
}

/** All that end with a signal. It has one listener, however many they are: adding one takes microseconds. */
const followers = new WeakMap<AbortSignal, Set<AbortController>>()

/** Aborts the controller with the signal, until the returned function is called. */
function follow(signal: AbortSignal, controller: AbortController): () => void {
  if (signal.aborted) {
    controller.abort(signal.reason)
    return () => {}
  }
  const known = followers.get(signal)
  const all = known ?? new Set()
  if (known === undefined) {
    followers.set(signal, all)
    signal.addEventListener('abort', () => {
      for (const each of all) each.abort(signal.reason)
    })
  }
  all.add(controller)
  return () => all.delete(controller)
}

function timeoutMessage(timeoutMs: number): string {
  return `timeout after ${shortDuration(timeoutMs)}`
}

/** A timer that stands still from the first `stop` until it was told to go on as many times as it was stopped. */
class StoppableTimer {
  readonly #ring: () => void
  #cancel: () => void
  #end: number
  #stoodStill = 0
  #stops = 0
  #stoppedAt = 0
  #released = false

  constructor(ms: number, ring: () => void) {
    this.#ring = ring
    this.#cancel = startTimer(ms, ring)
    this.#end = awakeClock.now() + ms
  }

  get leftMs(): number {
    return this.#end + this.#stoppedFor() - awakeClock.now()
  }

  get stoodStillMs(): number {
    return this.#stoodStill + this.#stoppedFor()
  }

  stop(): void {
    if (this.#stops === 0) {
      this.#cancel()
      this.#stoppedAt = awakeClock.now()
    }
    this.#stops += 1
  }

  goOn(): void {
    const stopped = this.#stoppedFor()
    this.#stops -= 1
    if (this.#stops > 0) return
    this.#stoodStill += stopped
    this.#end += stopped
    if (!this.#released) this.#cancel = startTimer(this.leftMs, this.#ring)
  }

  refund(ms: number): void {
    this.#stoodStill += ms
    this.#end += ms
    if (this.#stops > 0 || this.#released) return
    this.#cancel()
    this.#cancel = startTimer(this.leftMs, this.#ring)
  }

  release(): void {
    this.#released = true
    this.#cancel()
  }

  #stoppedFor(): number {
    return this.#stops === 0 ? 0 : awakeClock.now() - this.#stoppedAt
  }
}

/** Settles with `work`, or rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {})
    return Promise.reject(signal.reason)
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

/** Settles with `work`, or rejects when the time is over. */
export function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = startTimer(timeoutMs, () => reject(new TimeoutError(timeoutMessage(timeoutMs))))
    work.then(resolve, reject).finally(cancel)
  })
}

/** Waits, unless the signal is aborted first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer))
}
