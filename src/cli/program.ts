import { Command as Commander, CommanderError, Option } from 'commander'
import { ConfigError } from '../errors.ts'
import type { Shell } from '../system/shell.ts'
import { version } from '../version.ts'
import type { Command } from './command.ts'
import { agents } from './commands/agents.ts'
import { audit } from './commands/audit.ts'
import { branch } from './commands/branch.ts'
import { compare } from './commands/compare.ts'
import { createCompletionCommand } from './commands/completion.ts'
import { doctor } from './commands/doctor.ts'
import { evaluate } from './commands/eval.ts'
import { extract } from './commands/extract.ts'
import { grade } from './commands/grade.ts'
import { createHelpCommand } from './commands/help.ts'
import { history } from './commands/history.ts'
import { init } from './commands/init.ts'
import { judgeCommandSpec } from './commands/judge.ts'
import { merge } from './commands/merge.ts'
import { mutate } from './commands/mutate.ts'
import { queueClean, queueStatus } from './commands/queue.ts'
import { recordingList, recordingPrune, recordingShow } from './commands/recording.ts'
import { report } from './commands/report.ts'
import { shrink } from './commands/shrink.ts'
import { test } from './commands/test.ts'
import { worker } from './commands/worker.ts'
import { type Flag, flagGroups } from './flag.ts'
import { renamedFlags } from './flags.ts'
import { examplesText, helpFormat } from './help-format.ts'
import { errorExitCode, printError } from './print-error.ts'

const commands: readonly Command<never>[] = [
  init,
  test,
  evaluate,
  worker,
  queueStatus,
  queueClean,
  audit,
  grade,
  mutate,
  report,
  merge,
  compare,
  history,
  recordingList,
  recordingShow,
  recordingPrune,
  extract,
  branch,
  shrink,
  agents,
  doctor,
  judgeCommandSpec,
]

/** The names of commands that stand above others. */
const groups: Record<string, string> = {
  judge: 'Measure a judge.',
  queue: 'Look into a queue, and clean it.',
  recording: 'Look into recordings, and remove what they do not need.',
}

/** Parses the command line, runs the command, and turns whatever happens into an exit code. */
export async function runProgram(argv: readonly string[], shell: Shell): Promise<number> {
  let exitCode = 0
  const program = createProgram(shell, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(normalise(argv), { from: 'user' })
    return exitCode
  } catch (error) {
    return reportError(error, shell)
  }
}

function createProgram(shell: Shell, done: (exitCode: number) => void): Commander {
  const program = new Commander('viva')
    .usage('<command> [options]')
    .description('Tests AI agents by talking to them.')
    .version(version, '-V, --version', 'print the version')
    .showSuggestionAfterError()
    .enablePositionalOptions()
    .helpCommand(false)
    .addHelpText('after', '\n`viva <command> --help` lists the flags of a command, `viva help` the topics.')
  const showHelp = (words: readonly string[]) => runProgram([...words, '--help'], shell)
  const all: readonly Command<never>[] = [
    ...commands,
    createHelpCommand(() => all, showHelp),
    createCompletionCommand(() => all),
  ]
  for (const command of all) addCommand(program, command, shell, done)
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command
      .exitOverride()
      .addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Options:'))
      .configureHelp(helpFormat(shell.stdout))
      .configureOutput({
        outputError: () => {},
        writeOut: (text) => void shell.stdout.write(text),
        writeErr: (text) => void shell.stderr.write(text),
      })
  return program
}

function addCommand(
  program: Commander,
  { name, about, summary = about, group, examples, arguments: args, flags, run }: Command<never>,
  shell: Shell,
  done: (exitCode: number) => void,
): void {
  const [first = '', second] = name.split(' ')
  const parent = second === undefined ? program : findGroup(program, first)
  const command = parent
    .command(second ?? first)
    .description(about)
    .summary(summary)
    .helpGroup(`${group}:`)
    .addHelpText('after', examplesText(examples))
  for (const [spec, what] of args) command.argument(spec, what)
  for (const flag of inGroupOrder(flags)) command.addOption(toOption(flag))
  command.action(async (...given: unknown[]) => {
    const values = given.slice(0, args.length) as (string | string[] | undefined)[]
    // A list of arguments comes last, and as one value.
    done(await run(given[args.length] as never, shell, ...values.flat()))
  })
}

/** Headings are printed in the order of their first flags. A command's own flags have no group and come first. */
function inGroupOrder(flags: readonly Flag[]): Flag[] {
  const place = ({ group }: Flag) => (group === undefined ? -1 : flagGroups.indexOf(group))
  return flags.toSorted((left, right) => place(left) - place(right))
}

function findGroup(program: Commander, name: string): Commander {
  const known = program.commands.find((command) => command.name() === name)
  return (
    known ??
    program
      .command(name)
      .description(groups[name] ?? '')
      .helpCommand(false)
  )
}

function toOption(flag: Flag): Option {
  const option = new Option(flag.spec, describeFlag(flag)).hideHelp(flag.hidden === true)
  if (flag.group !== undefined) option.helpGroup(`${flag.group}:`)
  if (flag.repeat)
    option.argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value])
  return option
}

function describeFlag(flag: Flag): string {
  const standard = flag.default === undefined ? '' : ` (default: ${flag.default})`
  return `${flag.about}${standard}`
}

/** `viva agent test` is `viva test`, and `-run X`, with one dash, is `--run X`. */
function normalise(argv: readonly string[]): string[] {
  const words = argv[0] === 'agent' && argv[1] === 'test' ? argv.slice(1) : [...argv]
  const end = words.indexOf('--')
  return words.map((word, index) => (word === '-run' && (end === -1 || index < end) ? '--run' : word))
}

function reportError(error: unknown, shell: Shell): number {
  if (!(error instanceof CommanderError)) {
    printError(shell, error)
    return errorExitCode(error)
  }
  if (error.exitCode === 0) return 0
  if (error.code === 'commander.help')
    shell.stderr.write('Run `viva test --help` for the flags of viva test.\n')
  else printError(shell, new ConfigError({ code: 'bad_flag', message: flagMessage(error) }))
  return 2
}

/** Commander's own words, unless the flag is one that was renamed. */
function flagMessage({ message }: CommanderError): string {
  const flag = /unknown option '(--[\w-]+)/.exec(message)?.[1] ?? ''
  const renamed = renamedFlags[flag]
  return renamed === undefined ? message.replace(/^error: /, '') : `${flag} is called ${renamed} now`
}
