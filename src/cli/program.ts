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
    .description('Run cases against an agent and check its replies.')
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
    .description('The same as viva test, with the agent first: viva eval <agent> [message | @cases.jsonl]')
    .argument('<agent>', 'agent to test')
    .argument('[input]', 'a message, or @ followed by a case file')
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
    .description('List the agents of the app in this folder, with their connectors, tools and hooks.')
    .option('--check', 'check all of them and report what is wrong (exit code 2)')
    .option('--json', 'print the list as JSON')
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
    .description('Compare the verdicts of a judge with labels made by people.')
    .argument(
      '<labels>',
      'a JSONL file with one object per line: {"output": …, "label": "pass" | "fail", "criteria": …}',
    )
    .option('--criteria <text>', 'criteria for labels that do not have their own')
    .option('--use <agent>', 'the judge', 'viva.judge')
    .option('-c, --connector <id>', 'the model of the judge')
    .option('--threshold <number>', 'lowest score that passes, as in the checks that use the judge')
    .option('--samples <n>', 'how often the judge is asked; the majority counts', '1')
    .option('--parallel <n>', 'number of labels that are judged at once', '4')
    .option('--min-kappa <number>', "exit with code 1 if the agreement (Cohen's kappa) is lower")
    .option('--json', 'print the figures as JSON')
    .action(async (labels: string, given: JudgeFlags) => {
      const { judgeCommand } = await import('./judge-command.ts')
      done(await judgeCommand(labels, given))
    })
}

function addAuditCommand(program: Command, done: (exitCode: number) => void): void {
  const command = program
    .command('audit')
    .description('Run cases against agents that must not pass, and list the cases that pass anyway.')
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
    .description('Compare two runs case by case. Exits with code 1 if there is a significant regression.')
    .argument('<base>', 'the .jsonl file of the earlier run')
    .argument('<head>', 'the .jsonl file of the later run')
    .option('--alpha <share>', 'significance level: how often it may report a regression by chance', '0.05')
    .option(
      '-o, --output <file>',
      'report file; the extension sets the format: .md .json .html (repeatable)',
      several,
    )
    .option('--json', 'print the comparison as JSON on stdout, and nothing else')
    .action(async (base: string, head: string, given: CompareFlags) => {
      const { compareCommand } = await import('./compare-command.ts')
      done(await compareCommand(base, head, given))
    })
  const report = program
    .command('report')
    .description('Write reports from the results of a run.')
    .argument('<results>', 'the .jsonl file of a run')
    .option(
      '-o, --output <file>',
      'report file; the extension sets the format: .html .json .md .xml .txt (repeatable)',
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
    .description('Write each result of a run to a separate file.')
    .argument('<results>', 'the .jsonl file of a run')
    .option('-o, --output <folder>', 'folder for the files', 'extracted')
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
    .description('Show how cases did from run to run: pass rate, time, cost, and which are flaky.')
    .argument('[case]', 'id of a case, to show its runs')
    .option('--limit <n>', 'maximum number of cases (default: 50) or runs (default: 20)')
    .option('--json', 'print the history as JSON; without --limit, all of it')
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
  return `${flag.about}${standard}${flag.notYet ? ' (not implemented yet)' : ''}`
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
