import { existsSync } from 'node:fs'
import { Command, CommanderError, Option } from 'commander'
import { ConfigError, OutputError } from '../errors.ts'
import { version } from '../version.ts'
import type { AgentsFlags } from './agents-command.ts'
import { auditFlags } from './audit-flags.ts'
import type { CompareFlags } from './compare-command.ts'
import type { ExtractFlags } from './extract-command.ts'
import { type Flag, flagList, flags, type GivenFlags, renamedFlags } from './flags.ts'
import type { HistoryFlags } from './history-command.ts'
import type { JudgeFlags } from './judge-command.ts'
import { printError } from './print-error.ts'
import type { ReportFlags } from './report-command.ts'

/** Parses the command line, runs the command, and turns whatever happens into an exit code. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  outliveReaders()
  let exitCode = 0
  const program = new Command('viva')
    .description('Tests AI agents by talking to them.')
    .version(version, '-V, --version')
    .showSuggestionAfterError()
    .enablePositionalOptions()
  addTestCommand(program, (code) => {
    exitCode = code
  })
  addEvalCommand(program, (code) => {
    exitCode = code
  })
  addAgentsCommand(program, (code) => {
    exitCode = code
  })
  addJudgeCommand(program, (code) => {
    exitCode = code
  })
  addAuditCommand(program, (code) => {
    exitCode = code
  })
  addResultCommands(program, (code) => {
    exitCode = code
  })
  addHistoryCommand(program, (code) => {
    exitCode = code
  })
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ])
    command.exitOverride().configureOutput({ outputError: () => {} })
  try {
    await program.parseAsync(normalise(argv), { from: 'user' })
    return exitCode
  } catch (error) {
    return exitCodeOfError(error)
  }
}

/**
 * `viva … | head`: a reader that has gone is no reason to lose the run. What else goes wrong outside of any call
 * (a full disk under stdout, a bug of ours) ends it, and not with the code of a failed case.
 */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') fail(new OutputError(`the output cannot be written: ${error.message}`))
    })
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

function fail(error: unknown): never {
  try {
    printError(error)
  } finally {
    process.exit(3)
  }
}

function addTestCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('test')
    .description('Play cases against an agent and judge its replies.')
    .argument('[inputs...]', 'case files, folders, or a message')
    .action(async (inputs: string[], given: GivenFlags) => {
      const { testCommand } = await import('./test-command.ts')
      done(await testCommand({ ...given, input: [...listOf(given.input), ...inputs] }))
    })
  addFlags(command)
}

function addEvalCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('eval')
    .description('The same, with the agent first: viva eval <agent> [message | @cases.jsonl]')
    .argument('<agent>', 'agent to test')
    .argument('[input]', 'a message, or @ and a case file')
    .action(async (agent: string, input: string | undefined, given: GivenFlags) => {
      const { testCommand } = await import('./test-command.ts')
      const inputs = input === undefined ? [] : [fileOrMessage(input)]
      done(await testCommand({ ...given, name: [agent], input: [...listOf(given.input), ...inputs] }))
    })
  addFlags(command)
}

function addAgentsCommand(program: Command, done: (exitCode: number) => void): void {
  program
    .command('agents')
    .description('List the agents of the app here: connector, tools, hooks.')
    .option('--check', 'look into all of them, and say what is wrong (exit 2)')
    .option('--json', 'the same as JSON')
    .action(async (given: AgentsFlags) => {
      const { agentsCommand } = await import('./agents-command.ts')
      done(await agentsCommand(given))
    })
}

function addJudgeCommand(program: Command, done: (exitCode: number) => void): void {
  program
    .command('judge')
    .description('Measure a judge.')
    .command('check')
    .description('Ask a judge about what people have labelled, and say how far it agrees with them.')
    .argument('<labels>', 'a JSONL file: {"output": …, "label": "pass" | "fail", "criteria": …} a line')
    .option('--criteria <text>', 'for labels that have none of their own')
    .option('--use <agent>', 'the judge', 'viva.judge')
    .option('-c, --connector <id>', 'the model of the judge')
    .option('--threshold <number>', 'the least score that passes, as in the checks that use it')
    .option('--samples <n>', 'how often it is asked; the majority counts', '1')
    .option('--parallel <n>', 'how many at once', '4')
    .option('--min-kappa <number>', 'exit 1 when it agrees less')
    .option('--json', 'the figures as JSON')
    .action(async (labels: string, given: JudgeFlags) => {
      const { judgeCommand } = await import('./judge-command.ts')
      done(await judgeCommand(labels, given))
    })
}

function addAuditCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('audit')
    .description('Play cases against agents that must not pass, and list those that pass anyway.')
    .argument('[inputs...]', 'case files or folders')
    .action(async (inputs: string[], given: GivenFlags) => {
      const { auditCommand } = await import('./audit-command.ts')
      done(await auditCommand({ ...given, input: [...listOf(given.input), ...inputs] }))
    })
  addFlags(command, auditFlags)
}

function addResultCommands(program: Command, done: (exitCode: number) => void): void {
  const several = (value: string, earlier: string[] | undefined) => [...(earlier ?? []), value]
  const compare = program
    .command('compare')
    .description('Compare two runs case by case. Exit 1 for a regression that the data support.')
    .argument('<base>', 'the .jsonl file of the run before')
    .argument('<head>', 'the .jsonl file of the run after')
    .option('--alpha <share>', 'how often it may tell of a regression where there is none', '0.05')
    .option('-o, --output <file>', 'format by extension: .md .json .html; several are made at once', several)
    .option('--json', 'the comparison as JSON on stdout, nothing else there')
    .action(async (base: string, head: string, given: CompareFlags) => {
      const { compareCommand } = await import('./compare-command.ts')
      done(await compareCommand(base, head, given))
    })
  const report = program
    .command('report')
    .description('Make reports of the results of a run.')
    .argument('<results>', 'the .jsonl file of a run')
    .option(
      '-o, --output <file>',
      'format by extension: .html .json .md .xml .txt; several are made at once',
      several,
    )
    .option(
      '-r, --reporter <name>',
      'report.html, report.json, report.markdown, junit or report.summary for the nth -o, or for stdout',
      several,
    )
    .action(async (results: string, given: ReportFlags) => {
      const { reportCommand } = await import('./report-command.ts')
      done(await reportCommand(results, given))
    })
  const extract = program
    .command('extract')
    .description('Write each result of a run to a file of its own.')
    .argument('<results>', 'the .jsonl file of a run')
    .option('-o, --output <folder>', 'where to', 'extracted')
    .option('--format <name>', 'markdown or json', 'markdown')
    .action(async (results: string, given: ExtractFlags) => {
      const { extractCommand } = await import('./extract-command.ts')
      done(await extractCommand(results, given))
    })
  for (const command of [compare, report, extract]) addFlags(command, [flags.transcripts, flags.mask])
}

function addHistoryCommand(program: Command, done: (exitCode: number) => void): void {
  program
    .command('history')
    .description('How cases did from run to run: pass rate, time, cost, and which are flaky.')
    .argument('[case]', 'the id of one, to see its runs')
    .option('--limit <n>', 'how many cases (50 without), or runs (20)')
    .option('--json', 'the same as JSON, all of it without --limit')
    .action(async (id: string | undefined, given: HistoryFlags) => {
      const { historyCommand } = await import('./history-command.ts')
      done(await historyCommand(id, given))
    })
}

/** `@cases.jsonl` is a file; `@ada, how are you?` is a message. */
function fileOrMessage(input: string): string {
  if (!/^@\S+$/.test(input)) return input
  const path = input.slice(1)
  if (existsSync(path)) return path
  throw new ConfigError({ code: 'no_such_file', message: `${input}: no such file or folder` })
}

function addFlags(command: Command, list: readonly Flag[] = flagList().map(([, flag]) => flag)): void {
  for (const flag of list) {
    const option = new Option(flag.spec, aboutOf(flag))
    if (flag.repeat)
      option.argParser((value: string, earlier: string[] | undefined) => [...(earlier ?? []), value])
    command.addOption(option)
  }
}

function aboutOf(flag: Flag): string {
  const standard = flag.default === undefined ? '' : ` (default: ${flag.default})`
  return `${flag.about}${standard}${flag.notYet ? ' (not yet)' : ''}`
}

/** `viva agent test` is `viva test`, and `-run X`, with one dash, is `--run X`. */
function normalise(argv: readonly string[]): string[] {
  const words = argv[0] === 'agent' && argv[1] === 'test' ? argv.slice(1) : [...argv]
  const end = words.indexOf('--')
  return words.map((word, index) => (word === '-run' && (end === -1 || index < end) ? '--run' : word))
}

function listOf(value: GivenFlags['input']): string[] {
  return Array.isArray(value) ? value : []
}

function exitCodeOfError(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    if (error.code === 'commander.help') {
      process.stderr.write('Run `viva test --help` for the flags.\n')
      return 2
    }
    printError(new ConfigError({ code: 'bad_flag', message: flagMessage(error) }))
    return 2
  }
  printError(error)
  return error instanceof ConfigError ? 2 : 3
}

/** Commander's own words, unless the flag is one that we have renamed. */
function flagMessage({ message }: CommanderError): string {
  const flag = /unknown option '(--[\w-]+)/.exec(message)?.[1] ?? ''
  const renamed = renamedFlags[flag]
  return renamed === undefined ? message.replace(/^error: /, '') : `${flag} is called ${renamed} now`
}
