import type { CaseStability } from './case-stability.ts'
import type { Key } from './key.ts'
import type { CaseResult } from './result.ts'
import type { RunStart, RunSummary } from './summary.ts'
import type { Turn } from './transcript/turn.ts'
import type { Role } from './usage.ts'

/** All that a run says about itself. Reporters see nothing else. Every event is plain JSON, secrets removed. */
export type RunEvent =
  | { type: 'run_started'; start: RunStart }
  | { type: 'case_started'; key: Key; name?: string }
  | {
      type: 'exchange'
      key: Key
      role: Role
      target: string
      request: unknown
      response: unknown
      error?: string
      retries: number
      durationMs: number
    }
  | { type: 'turn'; key: Key; turn: Turn }
  /** `late`: it came when the case had ended, so it is in no result. */
  | { type: 'log'; key: Key; text: string; late?: boolean }
  /** After so many tests without one success it is not asked any more; `message` says what the last one came to. */
  | { type: 'target_given_up'; target: string; tests: number; message: string }
  | { type: 'case_finished'; result: CaseResult }
  /** With several runs: what those of a case came to, when all is played. */
  | { type: 'case_stability'; stability: CaseStability }
  | { type: 'run_finished'; summary: RunSummary; exitCode: number }
