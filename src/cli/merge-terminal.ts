import { join, relative } from 'node:path'
import { createPen, type Inked, type Pen, wantsColour } from '../reporters/pen.ts'
import { mainEvents, type Reporter } from '../reporters/reporter.ts'
import { createTerminalEnd } from '../reporters/terminal-end.ts'
import { createRecap } from '../reporters/terminal-recap.ts'
import { createLogEscape } from '../reporters/workflow-commands.ts'
import type { Key } from '../results/key.ts'
import type { Shell } from '../system/shell.ts'
import { createRerunCommand } from '../text/run-again.ts'
import { mostIds } from './rerun.ts'

/** What `viva merge` prints: the end of a run, without its cases, which their shards have printed. */
export interface MergeTerminal {
  pen: Pen
  reporters: Reporter[]
  print(line: Inked): void
  /** What failed, and how to run it again. `isRecorded`: it is in the history. */
  recapLines(isRecorded: boolean): Inked[]
}

export function createMergeTerminal(
  { stdout, cwd, env }: Shell,
  { root, command, isFile }: { root: string; command: string; isFile(file: string): boolean },
): MergeTerminal {
  const pen = createPen(wantsColour(stdout, env))
  const harmless = createLogEscape(env)
  const print = ({ text }: Inked) => void stdout.write(`${harmless(text)}\n`)
  const end = createTerminalEnd(pen)
  const recap = createRecap({
    pen,
    placeOf({ file }, line) {
      if (!isFile(file)) return file === '-' ? `stdin:${line}` : file
      return `${relative(cwd, join(root, file))}${line > 0 ? `:${line}` : ''}`
    },
    rerunCommand: (failed, isRecorded) => rerunCommand(command, failed, isRecorded),
  })
  const summary: Reporter = {
    name: 'terminal',
    events: mainEvents,
    on(event) {
      end.on(event)
      if (event.type === 'run_finished') for (const line of end.lines(event.summary)) print(line)
    },
  }
  return { pen, print, reporters: [summary, recap], recapLines: recap.lines }
}

function rerunCommand(command: string, failed: readonly Key[], isRecorded: boolean): string {
  const ids = [...new Set(failed.map(({ id }) => id))]
  return ids.length > mostIds && isRecorded ? `${command} --last-failed` : createRerunCommand(command, ids)
}
