import type { AnyAsk, CallbackRef } from '../ask.ts'
import type { UserFunction } from '../is-function.ts'

/** The worker's end of the bridge. */
export interface Asking {
  ask(ask: AnyAsk): unknown
  refer(fn: UserFunction): CallbackRef
}
