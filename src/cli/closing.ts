import type { Redact } from '../privacy/redact.ts'
import type { Project } from '../project/project.ts'
import { oneLine } from '../reporters/printable.ts'
import { missingResults } from '../results/tally.ts'
import type { RunOutcome } from '../run/run.ts'
import type { GivenFlags } from './flags.ts'
import { ignoreHint } from './ignore-hint.ts'
import { shownPath } from './outputs.ts'
import { resumeCommand } from './rerun.ts'
import type { Terminal } from './terminal.ts'

export interface Closing {
  given: GivenFlags
  /** Its command says nothing that is private. */
  resumable: boolean
  /** The run is in the history. */
  isRecorded: boolean
  /** Takes secrets out. */
  hide: Redact
  /** Takes private data out, too. */
  hideAll(text: string): string
}

/** Says where things are, what could not be written, what failed, and how to go on. */
export function close(
  outcome: RunOutcome,
  { print, pen, recap }: Terminal,
  project: Project,
  files: string[],
  { given, resumable, isRecorded, hide, hideAll }: Closing,
): number {
  const { summary, path: journalPath, broken } = outcome
  for (const path of new Set([journalPath, ...files])) {
    if (!broken.some(({ name }) => name === path))
      print(pen.dim(`  Results: ${hide(shownPath(project, path))}`))
  }
  const hint = files.includes(journalPath) ? undefined : ignoreHint(journalPath, project)
  if (hint !== undefined) print(pen.dim(`  ${hint}`))
  for (const { name, message } of broken)
    print(pen.line`${pen.red('✗')} ${hide(`${name} could not be written: ${message}`)}`)
  if (outcome.trouble !== undefined) print(pen.line`${pen.red('✗')} ${oneLine(hideAll(outcome.trouble))}`)
  for (const line of recap.lines(isRecorded)) print(line)
  if (resumable && missingResults(summary) > 0) {
    print(pen.line`  Finish the run:`)
    print(pen.line`    ${hide(resumeCommand(given, shownPath(project, journalPath)))}`)
  }
  const clean = broken.length === 0 && outcome.trouble === undefined
  return clean || outcome.exitCode === 1 ? outcome.exitCode : 3
}
