import { setMaxListeners } from 'node:events'

/** Says that work must end, and why. Every `AbortSignal` is one. */
export interface AbortState {
  readonly aborted: boolean
  readonly reason: unknown
  throwIfAborted(): void
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/**
 * A signal and its controller in one object. Every case has several and listens to them many times; a real `AbortSignal`
 * costs ten times as much, so one is created only for code that asks for it.
 */
export class Stop implements AbortState {
  #aborted = false
  #reason: unknown
  /** Not a set: one that lives long is copied again and again, and its dead copies keep everything in them alive. */
  #listeners: (() => void)[] | undefined
  #controller: AbortController | undefined

  /** One that ends with a signal. */
  static by(signal: AbortState): Stop {
    const stop = new Stop()
    stop.follow(signal)
    return stop
  }

  get aborted(): boolean {
    return this.#aborted
  }

  get reason(): unknown {
    return this.#reason
  }

  /** For `fetch`, packages and the user's code. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      // Many calls of a case may listen to it at once, which Node would report as a leak.
      setMaxListeners(0, this.#controller.signal)
      if (this.#aborted) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners ??= []
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const index = this.#listeners?.indexOf(listener) ?? -1
    if (index >= 0) this.#listeners?.splice(index, 1)
  }

  abort(reason: unknown): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
    // A listener may remove others: they are not called any more.
    for (let next = this.#listeners?.shift(); next !== undefined; next = this.#listeners?.shift())
      callSafely(next)
  }

  /** Ends with the signal too, until the returned function is called. */
  follow(signal: AbortState): () => void {
    if (signal.aborted) {
      this.abort(signal.reason)
      return () => {}
    }
    const leader = signal instanceof AbortSignal ? leaderOf(signal) : signal
    const listener = () => this.abort(signal.reason)
    leader.addEventListener('abort', listener)
    return () => leader.removeEventListener('abort', listener)
  }
}

/** As with a real signal, a listener that throws keeps no other one from being called. */
function callSafely(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    process.nextTick(() => {
      throw error
    })
  }
}

/** All that follow a real signal share one listener on it: adding and removing one takes microseconds. */
const leaders = new WeakMap<AbortSignal, Stop>()

function leaderOf(signal: AbortSignal): Stop {
  const known = leaders.get(signal)
  if (known !== undefined) return known
  const leader = new Stop()
  leaders.set(signal, leader)
  signal.addEventListener('abort', () => leader.abort(signal.reason), { once: true })
  return leader
}
