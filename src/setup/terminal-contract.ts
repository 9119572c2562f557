import type { DetectedInput } from '../cases/sources/detect.ts'
import type { Person } from '../conversation/person.ts'
import type { Redactor } from '../privacy/redact.ts'
import type { Project } from '../project/project.ts'
import type { Pen } from '../reporters/pen.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { Screen } from '../reporters/screen.ts'
import type { Secrets } from './phases/secrets.ts'
import type { Settings } from './phases/settings.ts'

/** What faces the user: the terminal of the command, or nothing at all. */
export interface Front {
  /** Somebody who can be asked for messages. */
  person?(redact: () => Redactor): Person | undefined
  open(needs: TerminalNeeds): Terminal
}

export interface TerminalNeeds {
  inputs: readonly DetectedInput[]
  settings: Settings
  project: Project
  secrets: Secrets
  outputs: { stdoutTaken: boolean }
}

/** Where people watch a run. */
export interface Terminal {
  /** A line of its own, beside what the reporters print. */
  note(line: string): void
  /** A line about something that went wrong. */
  complain(line: string): void
  readonly reporters: readonly Reporter[]
  /** For reporters of other commands. */
  readonly screen: Screen
  readonly pen: Pen
  printJson(line: object): void
  /** Nothing is drawn after this, even if the run ended with an error. */
  close?(): void
}

export interface WithFront {
  front: Front
}
