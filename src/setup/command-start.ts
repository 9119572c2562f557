import type { Shell } from '../system/shell.ts'
import type { Start } from './phase.ts'
import type { RunRequest } from './phases/settings.ts'
import type { Front } from './terminal-contract.ts'

/** What a command starts with. */
export interface CommandStart extends Start {
  shell: Pick<Shell, 'cwd' | 'env' | 'stdin' | 'stdout' | 'stderr'>
  /** Reports something that should be known, though it stops nothing. */
  warn(text: string): void
}

/** What a command that plays cases starts with. */
export interface PlayStart extends CommandStart {
  request: RunRequest
  front: Front
}
