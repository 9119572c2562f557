import { join } from 'node:path'
import { defined } from '../json/defined.ts'
import type { Redactor } from '../privacy/redact.ts'
import { jsonEventsReporter, safeJson } from '../reporters/json-events.ts'
import { createPen, type Inked, wantsColour } from '../reporters/pen.ts'
import { oneLine, printable } from '../reporters/printable.ts'
import { createScreen } from '../reporters/screen.ts'
import { terminalReporter } from '../reporters/terminal.ts'
import { createRecap, type Recap, type RecapOptions } from '../reporters/terminal-recap.ts'
import { createLogEscape } from '../reporters/workflow-commands.ts'
import { shownPath } from '../setup/outputs/targets.ts'
import { isCaseFile } from '../setup/phases/history.ts'
import { isPrivate } from '../setup/phases/privacy.ts'
import type { Settings } from '../setup/phases/settings.ts'
import type { Front, Terminal, TerminalNeeds } from '../setup/terminal-contract.ts'
import { isCi } from '../system/environment.ts'
import type { OutputStream, Shell } from '../system/shell.ts'
import type { GivenFlags } from './flags.ts'
import { type Interview, personAtTerminal } from './person.ts'
import { rerunCommand } from './rerun.ts'

/** The terminal of a command, once it is open. */
export interface OpenTerminal extends Terminal {
  print(line: Inked): void
  /** What failed, for the end of all that is printed. */
  recap: Recap
}

/** The person at the terminal, and what is on stdout. */
export class TerminalFront implements Front {
  readonly given: GivenFlags
  readonly shell: Shell
  /** The command with its first arguments: `test`. */
  readonly command: string
  #person: Interview | undefined
  #terminal: OpenTerminal | undefined

  constructor(given: GivenFlags, shell: Shell, command = 'test') {
    this.given = given
    this.shell = shell
    this.command = command
  }

  person(redact: () => Redactor): Interview | undefined {
    this.#person = personAtTerminal(this.shell, redact)
    return this.#person
  }

  open(needs: TerminalNeeds): Terminal {
    this.#terminal = openTerminal(this, needs, this.#person)
    return this.#terminal
  }

  get terminal(): OpenTerminal {
    if (this.#terminal === undefined) throw new Error('the terminal is not open')
    return this.#terminal
  }
}

/** Lines for people go to stdout, unless stdout is taken by a reply, by events or by a report. */
function openTerminal(
  { given, shell, command }: TerminalFront,
  needs: TerminalNeeds,
  person: Interview | undefined,
): OpenTerminal {
  const { inputs, settings, secrets } = needs
  const { stdoutTaken } = needs.outputs
  const hide = secrets.redact()
  const [only] = inputs
  const isMessage = inputs.length === 1 && (only?.kind === 'message' || only?.kind === 'person')
  const stream = isMessage || settings.json || stdoutTaken ? shell.stderr : shell.stdout
  const pen = createPen(wantsColour(stream, shell.env))
  const { screen, printTo } = openScreen(stream, shell, person)
  if (only?.kind === 'message') explainMessage(only.text, settings, hide, shell)
  const recap = createRecap({ pen, ...recapTexts(given, command, needs, hide) })
  const reply = (text: string) => {
    if (!settings.json && !stdoutTaken)
      printTo(shell.stdout)(`${shell.stdout.isTTY ? printable(text) : text}\n`)
  }
  const print = (line: Inked) => screen.print(`${line.text}\n`)
  const watching = terminalReporter({
    screen,
    pen,
    verbose: settings.verbose,
    input: hide(inputs.map(({ shown }) => shown).join(', ')),
    ...(isMessage ? { reply } : {}),
  })
  return {
    pen,
    recap,
    print,
    note: (line) => print(pen.dim(`  ${oneLine(line)}`)),
    complain: (line) => print(pen.line`${pen.red('✗')} ${line}`),
    reporters: [
      watching,
      // There is little to recap of one message or one branch.
      ...(isMessage || only?.kind === 'given' ? [] : [recap]),
      ...(settings.json ? [jsonEventsReporter(printTo(shell.stdout))] : []),
    ],
    screen,
    close: () => screen.stop(),
    printJson(line) {
      screen.clear()
      shell.stdout.write(`${safeJson(line)}\n`)
    },
  }
}

/** A word that could be a misspelt path is announced as what it is taken for; what is private is not repeated. */
function explainMessage(text: string, settings: Settings, hide: Redactor, { stderr }: Shell): void {
  if (/\s/.test(text) || isPrivate(settings)) return
  const line = createPen(false).line`ℹ ${hide(text)} is not a file or folder: it is sent as a message`
  stderr.write(`${line.text}\n`)
}

/** Prints on either stream without gluing anything to the live line, or tearing apart what somebody types. */
function openScreen(stream: OutputStream, { env, logProgressEveryMs }: Shell, person: Interview | undefined) {
  const harmless = createLogEscape(env)
  const printTo = (to: OutputStream) => {
    // A program that reads it is not kept waiting for what somebody types.
    if (!to.isTTY) return writeTogether(to, harmless)
    return (text: string) => {
      const print = () => {
        screen.clear()
        to.write(harmless(text))
      }
      if (person) person.whenQuiet(print)
      else print()
    }
  }
  const screen = createScreen({
    print: printTo(stream),
    write: (text) => void stream.write(text),
    live: stream.isTTY === true && !isCi(env),
    isBusy: () => person?.isAsking() ?? false,
    columns: stream.columns || 80,
    ...defined({ logEveryMs: logProgressEveryMs }),
  })
  return { screen, printTo }
}

/** Texts of the same moment are one write: with thousands of cases, single writes take longer than the cases. */
function writeTogether(stream: OutputStream, harmless: (text: string) => string): (text: string) => void {
  let waiting = ''
  return (text) => {
    if (waiting === '')
      queueMicrotask(() => {
        stream.write(harmless(waiting))
        waiting = ''
      })
    waiting += text
  }
}

function recapTexts(
  given: GivenFlags,
  command: string,
  { project, settings: { resume }, inputs }: TerminalNeeds,
  hide: Redactor,
): Omit<RecapOptions, 'pen'> {
  const isFile = (file: string) => isCaseFile(file, inputs, hide)
  return {
    placeOf({ file }, line) {
      if (!isFile(file)) return file === '-' ? `stdin:${line}` : file
      return `${shownPath(project, join(project.root, file))}${line > 0 ? `:${line}` : ''}`
    },
    rerunCommand(failed, isRecorded) {
      // A run that was killed is not in the history: what failed before it was resumed may be missing there.
      const inHistory = isRecorded && resume === undefined
      return hide(rerunCommand(given, failed, (file) => inHistory && isFile(file), command))
    },
  }
}
