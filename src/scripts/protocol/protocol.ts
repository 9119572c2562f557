/**
 * What goes over the wire: runner ⇄ host over the fork's IPC channel, host ⇄ worker over a private port.
 * Payloads are strings of JSON, made and read at the two ends only, so that the host passes them on unread.
 */
import type { StateChanges } from './state.ts'

/** `id` is that of the call which a message belongs to. */
export type RunnerMessage =
  /** `withheld`: variables that the code must not see; without it, it sees the whole environment. */
  | { type: 'call'; id: number; payload: string; withheld?: readonly string[] | undefined }
  | { type: 'abort'; id: number; reason: AbortReason }
  /** To a question, on which its worker stands still. */
  | { type: 'answer'; id: number; ask: number; outcome: CallOutcome; changes?: StateChanges | undefined }
  /** Runs a function that lives in the worker of the call. */
  | {
      type: 'callback'
      id: number
      callback: number
      fn: number
      payload: string
      changes?: StateChanges | undefined
    }

/** What a worker tells the runner; the host passes it on unread, but for what it says itself: the first and the last two. */
export type HostMessage =
  /** A thread is started for the call. */
  | { type: 'starting'; id: number }
  /** It has started. */
  | { type: 'begun'; id: number }
  /** The call loads the user's code. */
  | { type: 'loading'; id: number }
  /** It has loaded it, or could not. */
  | { type: 'loaded'; id: number }
  | { type: 'log'; id: number; text: string }
  /** An error came up in what the call left running when it had ended. */
  | { type: 'late_error'; id: number; text: string }
  /** Something that happened on the way, like the end of one test of many. */
  | { type: 'event'; id: number; event: object }
  | {
      type: 'ask'
      id: number
      ask: number
      payload: string
      /** The callback it is asked in, where it is. */
      callback?: number | undefined
      changes?: StateChanges | undefined
    }
  | {
      type: 'callback_done'
      id: number
      callback: number
      outcome: CallOutcome
      changes?: StateChanges | undefined
    }
  | { type: 'done'; id: number; outcome: CallOutcome; changes?: StateChanges | undefined }
  /** What the process with all its workers uses now. */
  | { type: 'memory'; usedMb: number }
  /** The host ends itself: nothing more may be asked of it. */
  | { type: 'giving_up'; reason?: string; at?: string }

export type WorkerMessage =
  | Exclude<HostMessage, { type: 'starting' | 'done' | 'memory' | 'giving_up' }>
  /** `spoiled`: something broke that the worker must not outlive. */
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
  /** The call to a provider that failed, where the AI SDK wrote that on its error. */
  providerCall?: ProviderCall
  /** It came from outside, through a question: the kind of the infrastructure error. */
  infrastructure?: string
  cause?: ThrewFailure
}

export interface ProviderCall {
  url?: string
  /** Absent when there was no answer. */
  status?: number
  /** Whether it may succeed if it is made again. */
  retryable: boolean
  /** Those that say when to try again. */
  headers: Record<string, string>
  body: string
}

export interface CrashFailure {
  kind: 'crash'
  /** `host`: every call in flight went down with it, and any of them may be to blame. */
  ended: 'worker' | 'host'
  message: string
  /** All processes together used too much memory, and this one was not to blame. */
  crowded?: boolean
  /** Where it was when it was stopped, as `file:line`. */
  at?: string
  /** The last that came from the process's own stdout and stderr. */
  output?: string
}
