import type { CaseStability } from './case-stability.ts'
import type { Key } from './key.ts'
import type { CaseResult } from './result.ts'
import type { RunStart, RunSummary } from './summary.ts'
import type { Turn } from './transcript/turn.ts'
import type { Role } from './usage.ts'

/** Everything that happens in a run. Reporters see nothing else. Every event is plain JSON and redacted. */
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
  /** `late`: it came after the case had ended, so it is in no result. */
  | { type: 'log'; key: Key; text: string; late?: boolean }
  /** The target is not asked any more after `tests` without one success; `message` is the error of the last one. */
  | { type: 'target_given_up'; target: string; tests: number; message: string }
  /** With `--queue`: how many workers take part, how many jobs they can play at once, and how many they play. */
  | { type: 'workers'; workers: number; slots: number; playing: number }
  | { type: 'case_finished'; result: CaseResult }
  /** With several runs: the results of a case, when all its runs are over. */
  | { type: 'case_stability'; stability: CaseStability }
  | { type: 'run_finished'; summary: RunSummary; exitCode: number }
