// Taken before user code can replace them with a faked clock.
const { setInterval: startInterval, clearInterval: stopInterval } = globalThis

const beatMs = 20

/** Shows the host that the event loop of this thread turns, as long as a call is in flight. */
export class Pulse {
  readonly #count: Int32Array
  #timer: NodeJS.Timeout | undefined

  constructor(count: Int32Array) {
    this.#count = count
  }

  /** Called at the begin of every call, too: several may begin in one turn of the loop, each within its time. */
  beat(): void {
    Atomics.add(this.#count, 0, 1)
  }

  start(): void {
    this.#timer ??= startInterval(() => this.beat(), beatMs)
  }

  stop(): void {
    stopInterval(this.#timer)
    this.#timer = undefined
  }
}
