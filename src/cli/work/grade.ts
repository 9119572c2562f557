import { gradeRunSetup, gradeSetup } from '../../setup/grade.ts'
import { play } from '../../setup/play.ts'
import type { Shell } from '../../system/shell.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { close } from '../closing.ts'
import type { GivenFlags } from '../flags.ts'
import { commandText } from '../rerun.ts'
import { untilInterrupted } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'
import { createStart } from './test.ts'

/** `viva grade` with flags that have been checked. */
export function gradeCommand(results: string, given: GivenFlags, shell: Shell): Promise<number> {
  return untilInterrupted(shell, async (signal) => {
    const command = `grade ${shellQuote(results)}`
    const front = new TerminalFront(given, shell, command)
    const start = createStart(given, shell, front, signal)
    const request = { ...start.request, graded: results }
    return gradeSetup.use({ ...start, request }, async (opened) => {
      const played = await gradeRunSetup.use(opened, (ready) => play(ready, commandText(given, command)))
      return close(played, front, { isRecorded: false, isResumable: false })
    })
  })
}
