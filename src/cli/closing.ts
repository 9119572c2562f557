import { comparisonLines } from '../analysis/compare/terminal.ts'
import { oneLine } from '../reporters/printable.ts'
import { missingResults } from '../results/tally.ts'
import type { RunOutcome } from '../run/run.ts'
import { shownPath } from '../setup/outputs/targets.ts'
import { isPrivate } from '../setup/phases/privacy.ts'
import type { ReadyToPlay } from '../setup/play.ts'
import type { UnusedSnapshot } from '../setup/snapshots/snapshot-store.ts'
import { pluralize } from '../text/counted.ts'
import { reportCoverage } from './coverage.ts'
import { ignoreHint } from './ignore-hint.ts'
import { resumeCommand } from './rerun.ts'
import type { TerminalFront } from './terminal.ts'

interface Closing {
  /** The run is in the history. */
  isRecorded: boolean
  isResumable: boolean
}

/** Prints where things are, what could not be written, what failed, and how to go on. Returns the exit code. */
export function close(
  played: ReadyToPlay & { outcome: RunOutcome },
  front: TerminalFront,
  { isRecorded, isResumable }: Closing,
): number {
  const { outcome, settings, project, secrets, privacy, inputs, warn } = played
  const { print, pen, recap } = front.terminal
  const comparison = played.baseline?.comparison()
  if (comparison) for (const line of comparisonLines(comparison, pen)) print(line)
  if (settings.coverage) reportCoverage(played.source.testHosts, project, front.terminal)
  for (const mask of privacy.unusedMasks()) warn(`--mask ${mask} found nothing`)
  for (const notice of played.app.sources.toolServers.notices()) warn(secrets.redact()(notice))
  printSnapshots(played, front)
  printFiles(played, front)
  if (outcome.trouble !== undefined)
    print(pen.line`${pen.red('✗')} ${oneLine(privacy.redactLine(outcome.trouble))}`)
  for (const line of recap.lines(isRecorded)) print(line)
  // The command would say once more what is private.
  const saysPrivate = isPrivate(settings) && inputs.some(({ kind }) => kind === 'message')
  if (isResumable && !saysPrivate && missingResults(outcome.summary) > 0) {
    print(pen.line`  Finish the run:`)
    const command = resumeCommand(front.given, shownPath(project, outcome.path))
    print(pen.line`    ${secrets.redact()(command)}`)
  }
  const isClean = outcome.broken.length === 0 && outcome.trouble === undefined
  return isClean || outcome.exitCode === 1 ? outcome.exitCode : 3
}

function printSnapshots(played: Parameters<typeof close>[0], front: TerminalFront): void {
  const { snapshots } = played
  const { unused, isRemoved } = snapshots.takeUnused()
  // Only what was saved is counted. What was not is an error of the run, which is printed at its end.
  const isSaved = snapshots.save()
  const { written, updated } = snapshots.saved
  const counts = [
    ...(written > 0 ? [`${written} written`] : []),
    ...(updated > 0 ? [`${updated} updated`] : []),
  ]
  if (counts.length > 0) front.terminal.print(front.terminal.pen.line`  Snapshots: ${counts.join(', ')}`)
  if (unused.length === 0) return
  const how = isRemoved ? (isSaved ? 'removed' : 'unused') : 'unused; --update-snapshots removes them'
  printUnusedSnapshots(unused, how, played, front)
}

function printUnusedSnapshots(
  unused: readonly UnusedSnapshot[],
  how: string,
  { secrets }: Parameters<typeof close>[0],
  { terminal: { print, pen } }: TerminalFront,
): void {
  print(pen.line`  ${pluralize(unused.length, 'snapshot')} ${how}:`)
  for (const { file, id, part, variant } of unused)
    print(pen.dim(`    ${oneLine(secrets.redact()(`${file}: ${id}, ${part} (${variant})`))}`))
}

function printFiles(
  {
    outcome: { path: journal, broken },
    outputs: { files },
    recording,
    project,
    secrets,
  }: Parameters<typeof close>[0],
  { terminal: { print, pen }, shell }: TerminalFront,
): void {
  const hide = secrets.redact()
  for (const path of new Set([journal, ...files])) {
    if (!broken.some(({ name }) => name === path))
      print(pen.dim(`  Results: ${hide(shownPath(project, path))}`))
  }
  const { recorder } = recording ?? {}
  if (recorder?.hasLines) print(pen.dim(`  Recording: ${hide(shownPath(project, recorder.path))}`))
  const hint = files.includes(journal) ? undefined : ignoreHint(journal, project, shell.env)
  if (hint !== undefined) print(pen.dim(`  ${hint}`))
  for (const { name, message } of broken)
    print(pen.line`${pen.red('✗')} ${hide(`${name} could not be written: ${message}`)}`)
}
