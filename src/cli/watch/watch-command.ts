import { errorMessage } from '../../errors.ts'
import { createPen, type Inked, type Pen, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import type { Shell } from '../../system/shell.ts'
import { compilePattern } from '../../text/pattern.ts'
import type { GivenFlags } from '../flags.ts'
import { printWarning } from '../print-error.ts'
import { untilInterrupted } from '../signals.ts'
import { describeKeys, type Keyboard, openKeyboard } from './keys.ts'
import { refuseWatch } from './refuse-watch.ts'
import { playRound } from './round.ts'
import { WatchSession } from './session.ts'
import { SessionRecord } from './session-record.ts'
import { WatchedProject } from './watched-project.ts'

/** `viva test --watch`: runs again on changes, until the user quits. */
export function watchCommand(given: GivenFlags, shell: Shell): Promise<number> {
  refuseWatch(given, shell)
  return untilInterrupted(shell, async (signal) => {
    const pen = createPen(wantsColour(shell.stdout, shell.env))
    const print = (line: Inked) => void shell.stdout.write(`${line.text}\n`)
    const record = new SessionRecord()
    const project = new WatchedProject({
      given,
      shell,
      warn: (text) => printWarning(shell, text),
      onAffected: (part, because) => session.changed(part, because),
    })
    const keyboard = openKeyboard(shell.stdin, {
      onCommand: (command) => session.command(command),
      // As the terminal does where it does not give us single keys.
      onInterrupt: () => process.kill(process.pid, 'SIGINT'),
    })
    const session = new WatchSession({
      signal,
      play(round) {
        const { because, part } = round
        const isNarrow = part.files !== undefined || part.agents !== undefined
        if (because !== undefined && !isNarrow) print(pen.dim(`  ${oneLine(because)}: everything runs again`))
        return project.during((onOpened) => playRound(round, { given, shell, record, onOpened }))
      },
      askFilter: (now, ended) => askFilter({ keyboard, shell, pen, now }, ended),
      hasFailed: () => record.hasFailed(),
      waiting: (filter) => print(waitingLine(pen, filter, record.spent())),
      say: (text) => print(pen.dim(`  ${text}`)),
    })
    try {
      return await session.run()
    } finally {
      keyboard.close()
      project.close()
    }
  })
}

/** `  Watching · $0.12 in this session · a all · f failed · …` */
function waitingLine(pen: Pen, filter: string | undefined, spent: string | undefined): Inked {
  const parts = [
    'Watching',
    ...(filter === undefined ? [] : [`filter ${JSON.stringify(filter)}`]),
    ...(spent === undefined ? [] : [`${spent} in this session`]),
    describeKeys(),
  ]
  return pen.line`${pen.cyan('●')} ${pen.dim(parts.join(' · '))}`
}

const clearLine = '\r\u001b[2K'

interface Asking {
  keyboard: Keyboard
  shell: Pick<Shell, 'stdout'>
  pen: Pen
  now: string | undefined
}

/** Asks again for an invalid pattern. */
async function askFilter(
  { keyboard, shell: { stdout }, pen, now }: Asking,
  signal: AbortSignal,
): Promise<string | undefined> {
  const instead = now === undefined ? '' : ` (instead of ${JSON.stringify(now)})`
  stdout.write(`${pen.dim('  Run only cases whose id or name matches; empty: all, Esc: as before').text}\n`)
  for (;;) {
    const show = (text: string) =>
      void stdout.write(`${clearLine}${pen.line`  Filter${instead}: ${text}`.text}`)
    const typed = await keyboard.readLine(show, signal)
    stdout.write('\n')
    const problem = typed === undefined || typed === '' ? undefined : patternProblem(typed)
    if (problem === undefined) return typed
    stdout.write(`${pen.line`${pen.red('✗')} ${problem}`.text}\n`)
  }
}

function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern)
    return undefined
  } catch (error) {
    return errorMessage(error)
  }
}
