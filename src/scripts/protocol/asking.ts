import type { UserFunction } from '../worker/is-function.ts'
import type { AnyAsk, CallbackRef } from './ask.ts'

/** The worker's end of the bridge. */
export interface BridgeEnd {
  ask(ask: AnyAsk): unknown
  refer(fn: UserFunction): CallbackRef
}
