/**
 * What goes over the wire: runner ⇄ host over the fork's IPC channel, host ⇄ worker over a private port.
 * Payloads are strings of JSON, made and read at the two ends only, so that the host passes them on unread.
 */

export type RunnerMessage =
  | { type: 'call'; id: number; payload: string }
  | { type: 'abort'; id: number; reason: AbortReason }

export type HostMessage =
  | { type: 'log'; id: number; text: string }
  | { type: 'done'; id: number; outcome: Outcome }

export type WorkerMessage =
  | { type: 'log'; id: number; text: string }
  /** `spoiled`: something broke that the worker must not outlive. */
  | { type: 'done'; id: number; outcome: Outcome; spoiled: boolean }
  | { type: 'spoiled' }

export interface AbortReason {
  name: string
  message: string
}

/** `json` is absent when the result was `undefined`. */
export type Outcome = { ok: true; json?: string | undefined } | { ok: false; failure: Failure }

export type Failure = LoadFailure | ThrewFailure | CrashFailure

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
  /** The last that came from the process's own stdout and stderr. */
  output?: string
}
