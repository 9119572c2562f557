import type { Pace } from '../../scope/pace.ts'

/** How many items of a queue may be under way at once. */
export interface ConcurrencyLimit {
  /** Whether another item may start beside those that are under way. */
  hasRoom(underWay: number): boolean
  /** For a limit that changes during the run: it calls back when there may be room although no item has ended. */
  onRoom?(goOn: () => void): void
  /** Set by a limit that finds out what a server can take. */
  adaptive?: {
    pace: Pace
    /** The largest number of items that were under way at once. */
    peak(): number
  }
}

export function fixedLimit(parallel: number): ConcurrencyLimit {
  return { hasRoom: (underWay) => underWay < parallel }
}
