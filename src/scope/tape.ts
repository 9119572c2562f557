import { defined } from '../json/defined.ts'
import type { Key } from '../results/key.ts'
import type { Role, UsageByRole } from '../results/usage.ts'
import type { ZonedTime } from '../text/zoned-time.ts'
import type { Context } from './context.ts'
import type { ErrorData } from './error-data.ts'
import { fingerprint } from './recording/fingerprint.ts'
import type { Exchange } from './scope.ts'

/** The parts of a case that a replay can let go out again, one by one. */
export const layers = ['agent', 'model', 'tools', 'simulator', 'judge', 'generator', 'script'] as const
export type Layer = (typeof layers)[number]

/** What one call asks: the recorded answer is looked up by it. */
export interface TapeCall {
  layer: Layer
  target: string
  request: unknown
  /** Stands for what the answer depends on besides: the code that runs, and the contents of attached files. */
  depends?: string
  /** What else the other side can see. */
  sees?: unknown
  /** The user's own code, which costs nothing to run again. */
  isCode?: boolean
  /** Who remembers the calls before it: those with the same other side are all answered from the recording, or none. */
  continues?: string
  /** Names what earlier calls with the same name here may have changed: the answer is that after the same calls. */
  follows?: string
  /** It looks at what all calls before it have done. */
  observes?: true
  /** No later call follows from it. */
  onlyReads?: true
}

/** A call with a fingerprint of what the other side can see. */
export interface SeenCall extends TapeCall {
  sees?: string
}

/** A call with the course that it took, as plain JSON. */
export interface RecordedCall
  extends Omit<TapeCall, 'isCode' | 'continues' | 'sees' | 'observes' | 'onlyReads'> {
  /** A fingerprint. Recordings of earlier versions have none. */
  sees?: string
  /** The attempts that failed before the last one. */
  retries?: { error: ErrorData; delayMs: number }[]
  /** Absent when it failed, or returned nothing. */
  response?: unknown
  error?: ErrorData
  /** Nobody waited for its end. */
  abandoned?: boolean
  /** What it changed besides: the session of a server, the variables of a case. */
  effects?: unknown
  /** The layers of the calls that were made within it. */
  inner?: Layer[]
  /** What these calls used. */
  innerUsage?: UsageByRole
  /** Who remembers these calls. */
  innerContinues?: string[]
  /** Their names: they are answered with it, and for no other call. */
  innerNames?: string[]
  /** The lines that were logged meanwhile. */
  logs?: string[]
  /** On the clock of the case, since its play began. */
  startedMs: number
  durationMs: number
}

/** Keeps a call that went out. */
export type KeepCall = (call: RecordedCall) => void

/** Keeps the calls of one play of a case, or answers them from an earlier one. */
export interface Tape {
  /**
   * The call as it was recorded. When it goes out instead: what keeps it, or undefined if it is not kept. Throws
   * `InfrastructureError` when it may not go out and is not recorded.
   */
  take(call: TapeCall): RecordedCall | KeepCall | undefined
  /** Calls of the same name get the recorded answers one after the other. */
  nameOf(call: TapeCall): string
  /** The id of the session: the recorded one, or the one that is given. */
  session(id: string): string
  /** The time that prompts show. */
  now(): ZonedTime
  /** How long a reply took: the recorded time, unless a call was live meanwhile. */
  reply(measuredMs: number, isLive: boolean): number
  /** Every call is answered from the recording, so that no time passes but the recorded one. */
  readonly isOffline: boolean
}

/** The tape of one play, which is kept when it is closed. */
export interface PlayTape extends Tape {
  /** The same as plain JSON, for a play in another process. */
  readonly data: TapeData
  /** A play that did not come to its end is not kept. `kept`: what another process has kept of it. */
  close(end: { isComplete: boolean; kept?: KeptPlay | undefined }): void
}

/** What a tape has kept when it is closed. */
export interface PlayEnd {
  isComplete: boolean
  kept: KeptPlay
}

/** A recorded call, and the name that calls with the same request have. */
export interface FoundCall extends RecordedCall {
  name: string
}

/** A tape as plain JSON. */
export interface TapeData {
  /** The play to answer from. Absent where nothing is replayed. */
  recorded?: { sessionId?: string; times: string[]; replies?: number[]; calls: FoundCall[] }
  rules?: ReplayRules
  /** Of a script around the run, which is given what the run consists of. */
  isAroundRun?: boolean
  /** `missing`: only calls that were not in the recording. */
  keeps: 'all' | 'missing' | 'none'
}

/** What a replay lets go out. */
export interface ReplayRules {
  live: readonly Layer[]
  /** What happens to a call that is not in the recording. */
  missing: 'error' | 'live'
}

/** What a tape has kept of a play. */
export interface KeptPlay {
  sessionId?: string
  times: string[]
  /** How long each reply took, in milliseconds. */
  replies: number[]
  /** As JSON, because answers may change after they were given. */
  calls: string[]
  /** What was not in the recording, and how it differs. */
  missing: string[]
}

/** The tapes of a run. */
export interface Tapes {
  open(key: Key): PlayTape
  /** Whether a further attempt can be made: one that was not recorded cannot be replayed. */
  has(key: Key): boolean
}

const layersOfRoles: Partial<Record<Role, Layer>> = {
  agent: 'agent',
  tool: 'tools',
  simulator: 'simulator',
  judge: 'judge',
  generator: 'generator',
  script: 'script',
}

/** Undefined for a call that is never recorded: of services, of reporters, and what viva answers itself. */
export function toTapeCall<T>(
  exchange: Exchange<T>,
  role: Role,
  { observes }: Pick<Context, 'observes'> = {},
): TapeCall | undefined {
  const { target, request, part, code, attached = request, sees, local } = exchange
  const { continues, follows = continues, onlyReads = observes } = exchange
  const layer = role === 'agent' && part === 'model' ? 'model' : layersOfRoles[role]
  if (layer === undefined || local === true) return undefined
  const depends = fingerprint(code, attached)
  return {
    layer,
    target,
    request,
    ...defined({ depends, sees: sees?.(), continues, observes, follows, onlyReads }),
    isCode: part === 'script',
  }
}
