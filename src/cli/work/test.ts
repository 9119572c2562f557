import type { PlayStart } from '../../setup/command-start.ts'
import { listSetup, testRunSetup, testSetup } from '../../setup/phase-lists.ts'
import { play } from '../../setup/play.ts'
import type { Shell } from '../../system/shell.ts'
import { close } from '../closing.ts'
import type { GivenFlags } from '../flags.ts'
import { dryRun, listCases, listChanged } from '../list-cases.ts'
import { printWarning } from '../print-error.ts'
import { readRequest } from '../request.ts'
import { commandText } from '../rerun.ts'
import { untilInterrupted } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'

/** `viva test` with flags that have been checked. */
export async function testCommand(given: GivenFlags, shell: Shell): Promise<number> {
  if (given.watch === true) {
    const { watchCommand } = await import('../watch/watch-command.ts')
    return watchCommand(given, shell)
  }
  return untilInterrupted(shell, async (signal) => {
    const front = new TerminalFront(given, shell)
    const start = createStart(given, shell, front, signal)
    const { list, changed } = start.request
    if (list && !changed) return listSetup.use(start, (opened) => listCases(opened, front))
    return testSetup.use(start, async (opened) => {
      if (list) return listChanged(opened, front)
      if (opened.settings.dryRun) return dryRun(opened, front)
      const played = await testRunSetup.use(opened, (ready) => play(ready, commandText(given)))
      return close(played, front, { isRecorded: played.history.isRecorded(), isResumable: true })
    })
  })
}

export function createStart(
  given: GivenFlags,
  shell: Shell,
  front: TerminalFront,
  signal: AbortSignal,
): PlayStart {
  const warn = (text: string) => printWarning(shell, text)
  return { signal, shell, front, warn, request: readRequest(given, shell.cwd) }
}
