import type { CaseEntry } from '../../cases/entry.ts'
import { ConfigError, errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { shownPath } from '../../setup/outputs/targets.ts'
import type { OpenedBy } from '../../setup/phase.ts'
import { testRunSetup, testSetup } from '../../setup/phase-lists.ts'
import type { RunRequest } from '../../setup/phases/settings.ts'
import { play } from '../../setup/play.ts'
import type { Shell } from '../../system/shell.ts'
import { close } from '../closing.ts'
import type { GivenFlags } from '../flags.ts'
import { errorExitCode, printError, printWarning } from '../print-error.ts'
import { readRequest } from '../request.ts'
import { commandText } from '../rerun.ts'
import { isAboutOutput } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'
import { describePart, everything, type Part } from './part.ts'
import type { OpenedRun } from './run-files.ts'
import type { Round, RoundEnd } from './session.ts'
import type { SessionRecord } from './session-record.ts'

interface RoundOptions {
  given: GivenFlags
  shell: Shell
  record: SessionRecord
  /** Called when it is known which files the run uses. */
  onOpened(opened: OpenedRun): void
}

/** Plays one run of a session, as `viva test` does. A mistake is printed, and waits to be mended. */
export async function playRound(round: Round, options: RoundOptions): Promise<RoundEnd> {
  const { signal } = round
  try {
    const exitCode = await playPart(round, options)
    return { exitCode, end: signal.aborted ? 'stopped' : 'complete' }
  } catch (error) {
    if (isEmptyPart(error, round)) {
      printWarning(options.shell, errorMessage(error))
      return { exitCode: errorExitCode(error), end: 'empty' }
    }
    if (!signal.aborted || isAboutOutput(error)) printError(options.shell, error)
    return { exitCode: errorExitCode(error), end: signal.aborted ? 'stopped' : 'refused' }
  }
}

/** Whether all that is wrong is that nothing in the changed files was asked for: no mistake, but nothing to run. */
function isEmptyPart(error: unknown, { filter, part }: Round): boolean {
  if (!(error instanceof ConfigError) || error.problems.some(({ code }) => code !== 'none_selected'))
    return false
  return filter !== undefined || part !== everything
}

function playPart({ part, filter, updatesSnapshots, signal }: Round, options: RoundOptions): Promise<number> {
  const { given, shell, record, onOpened } = options
  const front = new TerminalFront(given, shell)
  const warn = (text: string) => printWarning(shell, text)
  const asked = partialRequest(readRequest(given, shell.cwd), part, filter)
  const request: RunRequest = updatesSnapshots ? { ...asked, updateSnapshots: 'all' } : asked
  return testSetup.use({ signal, shell, front, warn, request }, async (opened) => {
    onOpened(opened)
    const chosen = part.failed ? onlyFailed(opened, record) : opened
    const played = await testRunSetup.use(chosen, (ready) => {
      const text = describePart(part, ready.cases.length, (path) => shownPath(ready.project, path))
      if (text !== undefined) ready.terminal.note(text)
      const reporters = [...ready.reporters, record.reporter]
      return play({ ...ready, reporters }, commandText(given))
    })
    return close(played, front, { isRecorded: played.history.isRecorded(), isResumable: false })
  })
}

/** What the flags ask for, as far as the part goes. The keys belong to the session, so that no case can ask a person. */
function partialRequest(request: RunRequest, part: Part, filter: string | undefined): RunRequest {
  return {
    ...request,
    watch: true,
    skipInteractive: true,
    selection: { ...request.selection, ...defined({ run: filter }) },
    ...defined({ files: part.files, names: part.agents && [...part.agents] }),
  }
}

type Opened = OpenedBy<typeof testSetup>

function onlyFailed(opened: Opened, record: SessionRecord): Opened {
  const { settings, secrets } = opened
  const selection = {
    ...settings.selection,
    narrow(entries: readonly CaseEntry[]) {
      const failed = record.failedOf(entries, secrets.redact())
      if (failed.length > 0) return failed
      throw new ConfigError({ code: 'none_selected', message: 'no case that failed is left' })
    },
  }
  return { ...opened, settings: { ...settings, selection } }
}
