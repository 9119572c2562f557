import type { FileChange } from './file-watcher.ts'

/** A run that writes a file would start itself again for ever. After so many times in a row, it does not any more. */
const mostInARow = 3
/** Of a file that the run reads: the user may well save it in several runs in a row. */
const mostInARowIfRead = 10

/** Tells the user's changes from those that the runs themselves make: an agent's tools may write to the project. */
export class WrittenByRuns {
  readonly #warn: (path: string) => void
  readonly #leftOut = new Set<string>()
  /** The last run during which a file changed, and during how many in a row it did. */
  readonly #times = new Map<string, { run: number; count: number }>()
  #run = 0
  #from = 0
  #to = 0

  constructor(warn: (path: string) => void) {
    this.#warn = warn
  }

  started(now: number): void {
    this.#run += 1
    this.#from = now
    this.#to = Number.POSITIVE_INFINITY
  }

  ended(now: number): void {
    this.#to = now
  }

  /** The changes that count. `isRead`: whether the run is known to read a file. */
  sift(changes: readonly FileChange[], isRead: (path: string) => boolean): FileChange[] {
    return changes.filter(({ path, at }) => {
      const isDuringRun = at >= this.#from && at <= this.#to
      if (!isDuringRun) return true
      return !this.#leftOut.has(path) && this.#mayBeUser(path, isRead(path) ? mostInARowIfRead : mostInARow)
    })
  }

  #mayBeUser(path: string, most: number): boolean {
    const known = this.#times.get(path)
    if (known?.run === this.#run) return true
    const count = known?.run === this.#run - 1 ? known.count + 1 : 1
    this.#times.set(path, { run: this.#run, count })
    if (count < most) return true
    this.#leftOut.add(path)
    this.#warn(path)
    return false
  }
}
