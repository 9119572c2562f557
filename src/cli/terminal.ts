import { join } from 'node:path'
import type { DetectedInput } from '../cases/sources/detect.ts'
import type { Redact } from '../privacy/redact.ts'
import type { Project } from '../project/project.ts'
import { jsonEventsReporter } from '../reporters/json-events.ts'
import { createPen, type Inked, type Pen, wantsColour } from '../reporters/pen.ts'
import { printable } from '../reporters/printable.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { createScreen, type Screen } from '../reporters/screen.ts'
import { terminalReporter } from '../reporters/terminal.ts'
import { createRecap, type Recap, type RecapOptions } from '../reporters/terminal-recap.ts'
import { harmlessInLog } from '../reporters/workflow-commands.ts'
import { isPrivate } from './conceal.ts'
import type { GivenFlags } from './flags.ts'
import { isCaseFile } from './history-flags.ts'
import { shownPath } from './outputs.ts'
import type { Interview } from './person.ts'
import { rerunCommand } from './rerun.ts'
import type { Settings } from './settings.ts'

/** The person at the terminal, and what is on stdout. */
export interface Terminal {
  pen: Pen
  print(line: Inked): void
  screen: Screen
  reporters: Reporter[]
  /** What failed, for the end of all that is printed. */
  recap: Recap
}

/** Lines for people go to stdout, unless stdout is taken by a reply, by events or by a report. */
export function openTerminal(
  given: GivenFlags,
  settings: Settings,
  inputs: readonly DetectedInput[],
  surroundings: {
    project: Project
    stdoutTaken: boolean
    person: Interview | undefined
    /** Takes secrets out of the user's own words. */
    hide: Redact
  },
): Terminal {
  const { stdoutTaken, person, hide } = surroundings
  const [only] = inputs
  const messageMode = inputs.length === 1 && (only?.kind === 'message' || only?.kind === 'person')
  const stream = messageMode || settings.json || stdoutTaken ? process.stderr : process.stdout
  const pen = createPen(wantsColour(stream, process.env))
  const { screen, printTo } = openScreen(stream, person)
  const reply = (text: string) => {
    if (!settings.json && !stdoutTaken)
      printTo(process.stdout)(`${process.stdout.isTTY ? printable(text) : text}\n`)
  }
  // What is private is not said once more.
  if (only?.kind === 'message' && !/\s/.test(only.text) && !isPrivate(settings)) {
    process.stderr.write(
      `${createPen(false).line`ℹ ${hide(only.text)} is no file or folder: it is sent as a message`.text}\n`,
    )
  }
  const recap = createRecap({ pen, ...recapTexts(given, settings, inputs, surroundings) })
  return {
    pen,
    recap,
    print: (line) => screen.print(`${line.text}\n`),
    screen,
    reporters: [
      terminalReporter({
        screen,
        pen,
        verbose: settings.verbose,
        input: hide(inputs.map(({ shown }) => shown).join(', ')),
        ...(messageMode ? { reply } : {}),
      }),
      // Of one message there is little to say.
      ...(messageMode ? [] : [recap]),
      ...(settings.json ? [jsonEventsReporter(printTo(process.stdout))] : []),
    ],
  }
}

/** With what prints on either stream: nothing is glued to the live line, or torn into what somebody types. */
function openScreen(stream: NodeJS.WriteStream, person: Interview | undefined) {
  // Only there do they mean anything.
  const harmless = harmlessInLog(process.env)
  const printTo = (to: NodeJS.WriteStream) => (text: string) => {
    const print = () => {
      if (to.isTTY) screen.clear()
      to.write(harmless(text))
    }
    // A program that reads it is not kept waiting for what somebody types.
    if (person && to.isTTY) person.whenQuiet(print)
    else print()
  }
  const screen = createScreen({
    print: printTo(stream),
    write: (text) => void stream.write(text),
    live: stream.isTTY === true && process.env.CI === undefined,
    isBusy: () => person?.isAsking() ?? false,
    columns: stream.columns || 80,
  })
  return { screen, printTo }
}

function recapTexts(
  given: GivenFlags,
  { resume }: Settings,
  inputs: readonly DetectedInput[],
  { project, hide }: { project: Project; hide: Redact },
): Omit<RecapOptions, 'pen'> {
  return {
    placeOf({ file }, line) {
      if (!isCaseFile(file, inputs, hide)) return file === '-' ? `stdin:${line}` : file
      return `${shownPath(project, join(project.root, file))}${line > 0 ? `:${line}` : ''}`
    },
    rerunCommand(failed, isRecorded) {
      // A run that was killed is not in the history: what failed before it was resumed may be missing there.
      const inHistory = isRecorded && resume === undefined
      return hide(rerunCommand(given, failed, (file) => inHistory && isCaseFile(file, inputs, hide)))
    },
  }
}
