import { performance as unfaked } from 'node:perf_hooks'

/** How often a watched clock checks that the process is awake. */
const tickMs = 100
/** On a busy machine a tick may be this late without a suspension. */
const toleratedDelayMs = 1000
/** A process that used this share of the time was not suspended, even where others leave it little CPU. */
const busyShare = 0.05
const idleShare = 0.9

/** The readings that a clock needs, all in milliseconds. */
export interface ClockSources {
  time(): number
  /** CPU time that the process has used. */
  cpu(): number
  /** Time that the event loop has spent waiting for events. */
  idle(): number
  /** A number that another thread of this process, which never runs user code, raises every `beatMs`; if there is one. */
  beats?(): number | undefined
}

/** How often the main thread of a script host raises its number, which its other threads find under this name. */
export const beatMs = 50
export const beatsName = Symbol.for('vivavoce.host-beats')

/**
 * A clock that stops while the process or the machine is suspended (Ctrl-Z, a closed lid). A suspension is a gap of more
 * than a second in which the process used no CPU; a blocked event loop does use CPU.
 */
export class AwakeClock {
  readonly #sources: ClockSources
  #suspendedMs = 0
  #lastTick: { time: number; cpu: number; idle: number; beats?: number | undefined } = {
    time: 0,
    cpu: 0,
    idle: 0,
  }
  #lastSeen = 0
  #watchers = 0
  #timer: NodeJS.Timeout | undefined
  #runsUserCode = false

  constructor(sources: ClockSources) {
    this.#sources = sources
  }

  now(): number {
    const time = this.#sources.time()
    if (this.#timer !== undefined) this.#look(time)
    return time - this.#suspendedMs
  }

  /** Suspensions are noticed only between this call and a call of `unwatch`. */
  watch(): void {
    this.#watchers += 1
    if (this.#watchers > 1) return
    this.#tick(this.#sources.time())
    this.#timer = setInterval(() => {
      const time = this.#sources.time()
      this.#look(time)
      this.#tick(time)
    }, tickMs).unref()
  }

  /** Called once for each `watch`. */
  unwatch(): void {
    this.#watchers -= 1
    if (this.#watchers > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The user's code may block this thread without using the CPU (`execSync`): that is not a suspension. */
  expectUserCode(): void {
    this.#runsUserCode = true
  }

  #tick(time: number): void {
    const { cpu, idle, beats } = this.#sources
    this.#lastTick = { time, cpu: cpu(), idle: idle(), beats: beats?.() }
    this.#lastSeen = time
  }

  #look(time: number): void {
    const awakeUntil = Math.max(this.#lastSeen, this.#lastTick.time + tickMs)
    const silentMs = time - awakeUntil
    this.#lastSeen = Math.max(this.#lastSeen, time)
    if (silentMs <= toleratedDelayMs) return
    if (this.#wasSuspended(silentMs, awakeUntil)) this.#suspendedMs += silentMs
    this.#tick(time)
  }

  #wasSuspended(silentMs: number, awakeUntil: number): boolean {
    const { time, cpu, idle, beats } = this.#lastTick
    const usedMs = this.#sources.cpu() - cpu - (awakeUntil - time)
    if (usedMs > silentMs * busyShare) return false
    if (!this.#runsUserCode) return true
    // A thread that was stopped while it computed was not idle. If another thread went on meanwhile, only this one stood still.
    const now = this.#sources.beats?.()
    if (now !== undefined && beats !== undefined) return (now - beats) * beatMs < silentMs / 2
    return this.#sources.idle() - idle > silentMs * idleShare
  }
}

/** The clock of this process, used for deadlines and latencies. */
export const awakeClock = new AwakeClock({
  time: () => performance.now(),
  cpu() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  idle: () => unfaked.eventLoopUtilization().idle,
  beats() {
    const beats = (globalThis as { [beatsName]?: Int32Array })[beatsName]
    return beats && Atomics.load(beats, 0)
  },
})
