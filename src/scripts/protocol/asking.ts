import type { UserFunction } from '../worker/is-function.ts'
import type { AnyAsk, CallbackRef } from './ask.ts'

/** The worker's side of the bridge. */
export interface Asking {
  ask(ask: AnyAsk): unknown
  refer(fn: UserFunction): CallbackRef
}
