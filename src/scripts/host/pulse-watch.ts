const tickMs = 50

interface Beating {
  readonly beats: number
}

interface Seen {
  beats: number
  stillTicks: number
}

/**
 * Looks at the pulse of threads from outside. Counts its own ticks instead of reading a clock: after a suspension of the
 * machine, or when this thread itself was late, nothing is taken for blocked.
 */
export class PulseWatch<Thread extends Beating> {
  readonly #seen = new Map<Thread, Seen>()
  readonly #onStill: (thread: Thread, stillMs: number) => void
  readonly #onMoving: (thread: Thread) => void
  #timer: NodeJS.Timeout | undefined

  /** `onStill` is called again and again while a thread stands still, `onMoving` at every look at one that does not. */
  constructor(onStill: (thread: Thread, stillMs: number) => void, onMoving: (thread: Thread) => void) {
    this.#onStill = onStill
    this.#onMoving = onMoving
  }

  add(thread: Thread): void {
    if (!this.#seen.has(thread)) this.#seen.set(thread, { beats: thread.beats, stillTicks: 0 })
    this.#timer ??= setInterval(() => this.#look(), tickMs)
  }

  delete(thread: Thread): void {
    this.#seen.delete(thread)
    if (this.#seen.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    for (const [thread, seen] of [...this.#seen]) {
      const { beats } = thread
      if (beats === seen.beats) {
        seen.stillTicks += 1
        this.#onStill(thread, seen.stillTicks * tickMs)
      } else {
        Object.assign(seen, { beats, stillTicks: 0 })
        this.#onMoving(thread)
      }
    }
  }
}
