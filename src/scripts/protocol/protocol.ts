/**
 * The messages between processes: runner ⇄ host over the fork's IPC channel, host ⇄ worker over a private port.
 * Payloads are JSON texts that only the two ends parse, so that the host passes them on unread.
 */
import type { StateChanges } from './state.ts'

/** `id` is that of the call to which a message belongs. */
export type RunnerMessage =
  /** `withheld`: variables that the code must not see; without it, it sees the whole environment. */
  | {
      type: 'call'
      id: number
      payload: string
      withheld?: readonly string[] | undefined
      thread: ThreadChoice
    }
  | { type: 'abort'; id: number; reason: AbortReason }
  /** To a question, on which its worker stands still. */
  | ({ type: 'answer'; id: number; ask: number; outcome: CallOutcome } & WithChanges)
  /** Runs a function that lives in the worker of the call. */
  | ({ type: 'callback'; id: number; callback: number; fn: number; payload: string } & WithChanges)
  /** The session is over: no thread has to be kept for it. */
  | { type: 'release'; session: string }

/** The thread that runs a call. */
export type ThreadChoice =
  /** One of its own, from a pool: the call may block it. */
  | { kind: 'leased' }
  /** One of its own, which is expected not to stand still: what blocks it is reported. */
  | { kind: 'watched' }
  /**
   * One that runs many calls at once: the same for all calls of a session. `slot` says which, for calls that only load the
   * module there.
   */
  | { kind: 'shared'; slot?: number; session?: string }
  /** A fresh one, kept for all calls of the session and used by no others. */
  | { kind: 'kept'; session: string }

/** What the sender has changed in the shared state. */
interface WithChanges {
  changes?: StateChanges | undefined
}

/** Messages of a worker to the runner, passed on unread; the host itself sends only those that say so. */
export type HostMessage =
  /** From the host: a thread is being started for the call. */
  | { type: 'starting'; id: number }
  /** The thread has started. */
  | { type: 'begun'; id: number }
  /** The call is loading the user's code. */
  | { type: 'loading'; id: number }
  /** The code is loaded, or could not be. */
  | { type: 'loaded'; id: number }
  /** From the host: another call may be blocking the thread of this one, for `forMs` by now. */
  | { type: 'stalled'; id: number; forMs: number }
  /** From the host: the thread goes on. */
  | { type: 'resumed'; id: number }
  /** Earlier calls of its session ran in a thread that has ended since. */
  | { type: 'moved'; id: number }
  /** From the host: the call blocks its thread, in which no other call is running. */
  | { type: 'blocked'; id: number; at?: string }
  | { type: 'log'; id: number; text: string }
  /** An error occurred in work that the call left running after it had ended. */
  | { type: 'late_error'; id: number; text: string }
  /** Progress, like the end of one test of many. */
  | { type: 'event'; id: number; event: object }
  /** `callback`: the callback that asks, if one does. */
  | ({ type: 'ask'; id: number; ask: number; payload: string; callback?: number | undefined } & WithChanges)
  | ({ type: 'callback_done'; id: number; callback: number; outcome: CallOutcome } & WithChanges)
  | ({ type: 'done'; id: number; outcome: CallOutcome } & WithChanges)
  /** From the host: what the process with all its workers uses now. */
  | { type: 'memory'; usedMb: number }
  /** The host ends itself: no more calls may be sent to it. */
  | { type: 'giving_up'; reason?: string; at?: string }

export type WorkerMessage =
  | Exclude<
      HostMessage,
      { type: 'starting' | 'stalled' | 'resumed' | 'moved' | 'blocked' | 'done' | 'memory' | 'giving_up' }
    >
  /** `spoiled`: something broke, and the worker must not be used again. */
  | (Extract<HostMessage, { type: 'done' }> & { spoiled: boolean })
  | { type: 'spoiled' }

export interface AbortReason {
  name: string
  message: string
}

/** `json` is absent when the result was `undefined`. */
export type CallOutcome = { ok: true; json?: string | undefined } | { ok: false; failure: CallFailure }

export type CallFailure = LoadFailure | ThrewFailure | CrashFailure

export interface LoadFailure {
  kind: 'load'
  message: string
  file: string
  line?: number
  column?: number
  codeFrame?: string
}

export interface ThrewFailure {
  kind: 'threw'
  name: string
  message: string
  stack: string
  code?: string
  /** The failed call to a provider, as the AI SDK describes it on its error. */
  providerCall?: ProviderCall
  /** The kind of an infrastructure error that the script received as the answer to a request. */
  infrastructure?: string
  cause?: ThrewFailure
}

export interface ProviderCall {
  url?: string
  /** Absent when there was no answer. */
  status?: number
  /** Whether it may succeed when it is repeated. */
  retryable: boolean
  /** The headers that say when to try again. */
  headers: Record<string, string>
  body: string
}

export interface CrashFailure {
  kind: 'crash'
  /**
   * `host`, `shared`: the process or the shared worker ended with every call in flight, and any of them may be to blame.
   * `worker`: this call is to blame.
   */
  ended: 'worker' | 'shared' | 'host'
  message: string
  /** The call must block its thread to go on, so it needs one of its own. */
  blocks?: boolean
  /** All processes together used too much memory, and this one was not to blame. */
  crowded?: boolean
  /** Where the script was when it was stopped, as `file:line`. */
  at?: string
  /** The last output of the process's own stdout and stderr. */
  output?: string
}
