import { auditRunSetup, auditSetup } from '../../setup/audit.ts'
import { play } from '../../setup/play.ts'
import type { Shell } from '../../system/shell.ts'
import { close } from '../closing.ts'
import type { GivenFlags } from '../flags.ts'
import { commandText } from '../rerun.ts'
import { untilInterrupted } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'
import { createStart } from './test.ts'

/** `viva audit` with flags that have been checked. */
export function auditCommand(given: GivenFlags, shell: Shell): Promise<number> {
  return untilInterrupted(shell, async (signal) => {
    const front = new TerminalFront(given, shell)
    return auditSetup.use(createStart(given, shell, front, signal), async (opened) => {
      const played = await auditRunSetup.use(opened, (ready) => play(ready, commandText(given, 'audit')))
      const outcome = { ...played.outcome, exitCode: played.audited.audit.exitCode() }
      return close({ ...played, outcome }, front, { isRecorded: false, isResumable: false })
    })
  })
}
