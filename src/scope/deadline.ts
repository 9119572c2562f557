import { setMaxListeners } from 'node:events'
import { shortDuration } from '../duration.ts'
import { TimeoutError } from '../errors.ts'

/** A point in time and the signal that fires at it, or earlier when the parent's fires. */
export interface Deadline {
  readonly at: number
  readonly signal: AbortSignal
  /** Lets go of the timer and of the parent. */
  release(): void
}

export function startDeadline(timeoutMs: number, parent: AbortSignal): Deadline {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  const follow = () => controller.abort(parent.reason)
  const timer = setTimeout(
    () => controller.abort(new TimeoutError(`timeout after ${shortDuration(timeoutMs)}`)),
    timeoutMs,
  )
  if (parent.aborted) follow()
  else parent.addEventListener('abort', follow, { once: true })
  return {
    at: Date.now() + timeoutMs,
    signal: controller.signal,
    release() {
      clearTimeout(timer)
      parent.removeEventListener('abort', follow)
    },
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

/** Waits, unless the signal is aborted first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return untilAborted(elapsed, signal).finally(() => clearTimeout(timer))
}
