import type { ThreadChoice } from '../protocol/protocol.ts'
import type { SharedState } from '../protocol/state.ts'
import type { ServeRequest } from './served-call.ts'

/** How a call is run, and who hears of it. */
export interface CallOptions {
  signal: AbortSignal
  /** The thread that runs it. Default: a leased one, which it may block. */
  thread?: ThreadChoice
  /** Receives what the user's code prints. */
  onLog?: (line: string) => void
  /** Receives the stack of an error that occurred in work left running after the call had ended. */
  onLateError?: (text: string) => void
  /** Called when the code has blocked its own thread for a while, with the place as `file:line` if it is known. */
  onBlocked?: (at: string | undefined) => void
  /** Called when such a thread goes on. */
  onUnblocked?: () => void
  /** Called when the thread is another one than that of earlier calls of the session. */
  onMoved?: () => void
  /** Called before the call is run again from its beginning, because its thread or process has ended through no fault of it. */
  onRunAgain?: () => void
  /** Receives the events of a call before its result. */
  onEvent?: (event: unknown) => void
  /** No other call runs at the same time: if the process dies, it is clear which call is to blame. */
  alone?: boolean
  /** It does not wait for a permit: their holders may be waiting for it. */
  nested?: boolean
  /** How many scripts wait for a nested call. */
  depth?: number
  /** Waits without counting time for the case: for a permit, the start of a thread, and the loading of user code. */
  wait?: <T>(turn: Promise<T>) => Promise<T>
  /** The time of the case in milliseconds, which stands still during `wait`. */
  clock?: () => number
  /** Takes back time that was charged to the case. */
  refund?: (ms: number) => void
  /** Gives the case more time, or less of it; what it takes is reported all the same. */
  extend?: (ms: number) => void
  /** Answers the requests of the script; without it, requests fail. */
  serve?: ServeRequest
  /** What the scripts of the case share and change. A call that plays several cases has one state after another. */
  state?: () => SharedState | undefined
}
