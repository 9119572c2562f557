import { shortDuration } from '../text/duration.ts'

/** With fewer results, or in less time, a rate would be a guess. */
const leastResults = 5
const leastMs = 1_000
/** The rate is that of the last results: it may change while a run goes on. */
const mostRemembered = 1_024

/** How fast results come in. Times are in milliseconds. */
export class ResultPace {
  readonly #from: number
  /** When the last results came in. */
  #times: number[] = []
  #count = 0

  constructor(now: number) {
    this.#from = now
  }

  add(now: number): void {
    this.#times.push(now)
    this.#count += 1
    if (this.#times.length >= 2 * mostRemembered) this.#times = this.#times.slice(-mostRemembered)
  }

  /**
   * Results per second, or undefined while that is not known. `running` is how many cases run at once: before as many
   * have ended, the slow ones among them are missing from the rate.
   */
  perSecond(now: number, running: number): number | undefined {
    if (this.#count < Math.max(leastResults, running) || now - this.#from < leastMs) return undefined
    const wanted = Math.min(mostRemembered, Math.max(50, 4 * running))
    const since = this.#times.at(-wanted - 1)
    const [count, start] = since === undefined ? [this.#times.length, this.#from] : [wanted, since]
    return (count * 1000) / Math.max(1, now - start)
  }
}

/** `12/s`, `1.5/s` or `20/min` */
export function paceText(perSecond: number): string {
  if (perSecond >= 10) return `${Math.round(perSecond)}/s`
  if (perSecond >= 1) return `${perSecond.toFixed(1)}/s`
  const perMinute = perSecond * 60
  return `${perMinute >= 10 ? Math.round(perMinute) : perMinute.toFixed(1)}/min`
}

/** `about 2m left`, no more exact than it can be; `at most`: not all that is left may have to run. */
export function timeLeftText(left: number, perSecond: number, atMost = false): string {
  const seconds = left / perSecond
  const step = seconds < 10 ? 1 : seconds < 60 ? 5 : seconds < 3600 ? 60 : 600
  const time = shortDuration(Math.max(1, Math.ceil(seconds / step)) * step * 1000)
  return `${atMost ? 'at most' : 'about'} ${time} left`
}
