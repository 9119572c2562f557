import type { DetectedInput } from '../inputs/detect.ts'
import { jsonEventsReporter } from '../reporters/json-events.ts'
import { createPen, type Inked, type Pen, wantsColour } from '../reporters/pen.ts'
import { printable } from '../reporters/printable.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { terminalReporter } from '../reporters/terminal.ts'
import type { Screen } from '../reporters/terminal-progress.ts'
import { withoutCommands } from '../reporters/workflow-commands.ts'
import { runAgain } from '../run-again.ts'
import type { Redact } from '../scope/redact.ts'
import { isPrivate } from './conceal.ts'
import type { GivenFlags } from './flags.ts'
import type { Interview } from './person.ts'
import { testCommandOf } from './rerun.ts'
import type { Settings } from './settings.ts'

/** The person at the terminal, and what is on stdout. */
export interface Terminal {
  pen: Pen
  print(line: Inked): void
  screen: Screen
  reporters: Reporter[]
}

/** Lines for people go to stdout, unless stdout is taken by a reply, by events or by a report. */
export function openTerminal(
  given: GivenFlags,
  settings: Settings,
  inputs: readonly DetectedInput[],
  {
    stdoutTaken,
    person,
    hide,
  }: {
    stdoutTaken: boolean
    person: Interview | undefined
    /** Takes secrets out of the user's own words. */
    hide: Redact
  },
): Terminal {
  const [only] = inputs
  const messageMode = inputs.length === 1 && (only?.kind === 'message' || only?.kind === 'person')
  const stream = messageMode || settings.json || stdoutTaken ? process.stderr : process.stdout
  const pen = createPen(wantsColour(stream, process.env))
  // Only there do they mean anything.
  const harmless = process.env.GITHUB_ACTIONS === 'true' ? withoutCommands : (text: string) => text
  const writeTo = (to: NodeJS.WriteStream) => (text: string) => {
    const print = () => void to.write(harmless(text))
    // A program that reads it is not kept waiting for what somebody types.
    if (person && to.isTTY) person.whenQuiet(print)
    else print()
  }
  const write = writeTo(stream)
  const reply = (text: string) => {
    if (!settings.json && !stdoutTaken)
      process.stdout.write(`${harmless(process.stdout.isTTY ? printable(text) : text)}\n`)
  }
  // What is private is not said once more.
  if (only?.kind === 'message' && !/\s/.test(only.text) && !isPrivate(settings)) {
    process.stderr.write(
      `${createPen(false).line`ℹ ${hide(only.text)} is no file or folder: it is sent as a message`.text}\n`,
    )
  }
  const screen: Screen = {
    write,
    live: stream.isTTY === true && process.env.CI === undefined,
    isBusy: () => person?.isAsking() ?? false,
    columns: stream.columns || 80,
  }
  return {
    pen,
    print: (line) => write(`${line.text}\n`),
    screen,
    reporters: [
      terminalReporter({
        screen,
        pen,
        verbose: settings.verbose,
        input: hide(inputs.map(({ shown }) => shown).join(', ')),
        rerunCommand: (failed) =>
          hide(
            runAgain(
              testCommandOf(given),
              failed.map(({ id }) => id),
            ),
          ),
        ...(messageMode ? { reply } : {}),
      }),
      ...(settings.json ? [jsonEventsReporter(writeTo(process.stdout))] : []),
    ],
  }
}
