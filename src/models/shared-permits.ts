import type { AbortState } from '../scope/stop.ts'
import type { Limits } from './limiter.ts'

/** Permits for calls that several processes share, so that together they keep to the limits of a connector. */
export interface SharedPermits {
  /** Waits for a permit. The returned function gives it back. */
  take(connector: string, limits: Limits, stop: AbortState): Promise<() => void>
}
