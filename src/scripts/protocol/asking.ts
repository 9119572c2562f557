import type { UserFunction } from '../worker/is-function.ts'
import type { AnyScriptRequest, CallbackRef } from './ask.ts'

/** The worker's end of the bridge. */
export interface BridgeEnd {
  ask(ask: AnyScriptRequest): unknown
  refer(fn: UserFunction): CallbackRef
}
