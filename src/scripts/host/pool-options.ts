import type { HostMessage, RunnerMessage } from '../protocol/protocol.ts'
import type { HostedThread, ThreadOptions } from './hosted-thread.ts'

/** How long a call may take to end by itself after an abort. */
export const graceMs = 150
/** How long a terminated thread may take to end. */
export const terminateMs = 2000
/** After how long the place is looked for at which a call blocks its thread. */
export const placeAfterMs = 300

export type SentCall = Extract<RunnerMessage, { type: 'call' }>

export interface HostActions {
  tell(message: HostMessage): void
  /** Ends the whole process. */
  giveUp(why: { at?: string | undefined }): void
  disposable: boolean
  /** Raised by the main thread as long as the process is awake. */
  beats: Int32Array
}

export interface PoolOptions extends HostActions {
  startThread(options: ThreadOptions): HostedThread
  /** Finds where the user's code is, as `file:line`. */
  locate(thread: HostedThread): Promise<string | undefined>
  /** Tells the runner that a call blocks its thread, and where. */
  reportBlocked(id: number, thread: HostedThread): void
}
