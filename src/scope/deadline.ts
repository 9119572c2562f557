import { TimeoutError } from '../errors.ts'
import { shortDuration } from '../text/duration.ts'
import { awakeClock } from './awake-clock.ts'
import { type AbortState, Stop } from './stop.ts'

/** A point in time at which its `stop` is aborted, if that has not happened before. */
export interface Deadline {
  /** Milliseconds since the epoch; it moves on while the clock stands still. */
  readonly at: number
  readonly stop: Stop
  /** How long the clock has stood still so far. */
  readonly stoodStillMs: number
  /** Stops this clock and that of `outer` until the returned function is called. It runs again after the last such call. */
  standStill(): () => void
  /** Takes back time that has passed, from this clock and from that of `outer`. */
  refund(ms: number): void
  /** Lets this clock and that of `outer` run ahead; no deadline comes nearer. */
  runAhead(ms: number): void
  /** Moves this deadline and that of `outer`; no clock stands still. */
  extend(ms: number): void
  /** Releases the timer and the listener on the parent. */
  release(): void
}

export interface DeadlineOptions {
  /** The deadline around this one, whose clock stands still when this one's does. */
  outer?: Deadline | undefined
  /** Makes the error that is the reason of the abort. */
  expired?(message: string): Error
}

/** The maximum of Node's timers, 24 days; a longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** Calls back after the process has been awake for this long, unless the returned function is called first. */
export function startTimer(ms: number, callBack: () => void): () => void {
  const timer = new AwakeTimer(ms, callBack)
  return () => timer.cancel()
}

/** A timer that counts only the time in which the process was awake. */
class AwakeTimer {
  readonly #callBack: () => void
  readonly #end: number
  #timer: NodeJS.Timeout | undefined

  constructor(ms: number, callBack: () => void) {
    awakeClock.watch()
    this.#callBack = callBack
    this.#end = awakeClock.now() + ms
    this.#wait(ms)
  }

  cancel(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    awakeClock.unwatch()
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#ring(), Math.min(Math.ceil(ms), maxTimerMs))
  }

  #ring(): void {
    // After a suspension, this may be the first callback that runs.
    const left = this.#end - awakeClock.now()
    if (left > 0) this.#wait(left)
    else {
      this.cancel()
      this.#callBack()
    }
  }
}

export function startDeadline(
  timeoutMs: number,
  parent: AbortState,
  options: DeadlineOptions = {},
): Deadline {
  return new TimedDeadline(timeoutMs, parent, options)
}

class TimedDeadline implements Deadline {
  readonly stop = new Stop()
  readonly #timer: StoppableTimer
  readonly #outer: Deadline | undefined
  readonly #leave: () => void

  constructor(timeoutMs: number, parent: AbortState, { outer, expired = toTimeoutError }: DeadlineOptions) {
    this.#outer = outer
    this.#timer = new StoppableTimer(timeoutMs, () => this.stop.abort(expired(timeoutMessage(timeoutMs))))
    this.#leave = this.stop.follow(parent)
  }

  get at(): number {
    return Math.round(Date.now() + this.#timer.leftMs)
  }

  get stoodStillMs(): number {
    return this.#timer.stoodStillMs
  }

  standStill(): () => void {
    this.#timer.stop()
    const outerGoesOn = this.#outer?.standStill()
    let standing = true
    return () => {
      if (!standing) return
      standing = false
      outerGoesOn?.()
      this.#timer.goOn()
    }
  }

  refund(ms: number): void {
    this.#timer.refund(ms)
    this.#outer?.refund(ms)
  }

  runAhead(ms: number): void {
    this.#timer.runAhead(ms)
    this.#outer?.runAhead(ms)
  }

  extend(ms: number): void {
    this.#timer.extend(ms)
    this.#outer?.extend(ms)
  }

  release(): void {
    this.#timer.release()
    this.#leave()
  }
}

function toTimeoutError(message: string): Error {
  return new TimeoutError(message)
}

function timeoutMessage(timeoutMs: number): string {
  return `timeout after ${shortDuration(timeoutMs)}`
}

/** A timer that stands still from the first `stop` until it was told to go on as many times as it was stopped. */
class StoppableTimer {
  readonly #ring: () => void
  #timer: AwakeTimer
  #end: number
  #stoodStill = 0
  #stops = 0
  #stoppedAt = 0
  #released = false

  constructor(ms: number, ring: () => void) {
    this.#ring = ring
    this.#timer = new AwakeTimer(ms, ring)
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
      this.#timer.cancel()
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
    if (!this.#released) this.#timer = new AwakeTimer(this.leftMs, this.#ring)
  }

  refund(ms: number): void {
    this.#stoodStill += ms
    this.extend(ms)
  }

  runAhead(ms: number): void {
    this.#stoodStill -= ms
  }

  extend(ms: number): void {
    this.#end += ms
    if (this.#stops > 0 || this.#released) return
    this.#timer.cancel()
    this.#timer = new AwakeTimer(Math.max(0, this.leftMs), this.#ring)
  }

  release(): void {
    this.#released = true
    this.#timer.cancel()
  }

  #stoppedFor(): number {
    return this.#stops === 0 ? 0 : awakeClock.now() - this.#stoppedAt
  }
}

/** Settles with `work`, or rejects with the signal's reason as soon as it is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortState): Promise<T> {
  if (signal.aborted) {
    work.catch(() => {})
    return Promise.reject(signal.reason)
  }
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort)
    work.then(
      (value) => {
        signal.removeEventListener('abort', abort)
        resolve(value)
      },
      (error: unknown) => {
        signal.removeEventListener('abort', abort)
        reject(error)
      },
    )
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
export function pause(ms: number, signal: AbortState): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer))
}
