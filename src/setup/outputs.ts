import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, extname, join, resolve } from 'node:path'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { ConfigError, messageOf, OutputError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { type Project, projectPath } from '../project/project.ts'
import { agentReporter } from '../reporters/agent-report.ts'
import { findReportByName, findReportForFile, reportExtensions } from '../reporters/built-in.ts'
import { type GithubOptions, githubReporter } from '../reporters/github.ts'
import { isJsonReport } from '../reporters/json-report.ts'
import { jsonlCopyReporter } from '../reporters/jsonl-copy.ts'
import { refuseForeignFile } from '../reporters/keep-foreign-file.ts'
import { createReportWriter } from '../reporters/report.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { isJournal, Journal, lockJournal } from '../results/journal.ts'
import { type FileLock, LockedError } from '../results/lock.ts'
import { makeFolder } from '../system/make-folder.ts'
import { makeVivaFolder } from '../system/viva-folder.ts'
import { resolveLinks } from '../system/without-links.ts'
import type { TestHelpers } from './helpers.ts'
import type { OutsideWork } from './outside-cases.ts'
import type { CommandStart } from './project.ts'
import { createReporterAgents, type ReporterAgents } from './reporter-agents.ts'
import type { Settings } from './settings.ts'
import type { Source } from './source.ts'

/** Where everything goes that a run leaves behind. */
export interface Outputs {
  /** Before anything is started: keeps other runs away from the file of results. */
  lock(): void
  /** Makes sure that all files can be written. */
  check(): void
  /** An interrupted run goes on in its own file. */
  openJournal(): Promise<Journal>
  /** Gives the lock back. */
  release(): void
  /** Reports for files and for stdout, made when the journal's place is known. */
  reporters(journal: Pick<Journal, 'path'>): Reporter[]
  /** Something other than the terminal's lines is on stdout. */
  stdoutTaken: boolean
  /** For the closing lines. */
  files: string[]
}

/** A report that nobody asks for by an `-o`: it speaks to the workflow that viva runs in. */
const github = 'github'

interface OutputsNeeds extends CommandStart {
  settings: Settings
  project: Project
  source: Source
  inputs: readonly DetectedInput[]
  helpers: TestHelpers
  outside: OutsideWork
}

export const outputsPhase = {
  name: 'outputs',
  open: (needs: OutputsNeeds) => openOutputs(needs, undefined),
  close: (outputs: Outputs) => outputs.release(),
} as const

/** Results that nobody gave a place are kept in a folder of `.viva`, not beside the cases. */
export const auditOutputsPhase = {
  ...outputsPhase,
  open: (needs: OutputsNeeds) => openOutputs(needs, 'audits'),
} as const

/** Nothing is written before everything else is ready. */
export const journalPhase = {
  name: 'journal',
  open: ({ outputs }: { outputs: Outputs }) => outputs.openJournal(),
  close: (journal: Journal) => journal.close(),
} as const

function openOutputs(needs: OutputsNeeds, keptIn: string | undefined): Outputs {
  const { settings, project, source, inputs, helpers, outside, shell } = needs
  const { baseline, verbose } = settings
  const read = inputs.flatMap((input) => ('path' in input && input.kind !== 'folder' ? [input.path] : []))
  const compared = baseline === undefined ? [] : [resolve(shell.cwd, baseline)]
  const agents = createReporterAgents(helpers.agents, { ...outside, verbose })
  return planOutputs(settings, {
    project,
    inputs: [...read, ...compared],
    agents,
    shell,
    ...defined({ keptIn, caseFile: source.cases.file }),
  })
}

interface Surroundings {
  project: Project
  /** Files that are read, and so must not be written. */
  inputs: readonly string[]
  agents: ReporterAgents
  shell: CommandStart['shell']
  /** The file a default output goes beside. */
  caseFile?: string
  keptIn?: string
}

/** The nth `-r` writes the nth `-o`, one without goes to stdout; spare `-o` go by their extension. */
function planOutputs(
  { outputs, reporters, resume, json }: Settings,
  { project, inputs, agents, shell, caseFile, keptIn }: Surroundings,
): Outputs {
  const names = reporters.filter((name) => name !== github)
  for (const name of names) checkReporter(name, agents)
  checkStdout(names.length - outputs.length, json)
  const paths = outputs.map((path) => resolve(project.cwd, path))
  const jsonl = paths.slice(names.length).filter((path) => extname(path) === '.jsonl')
  const wanted = planReports(names, paths, inputs)
  for (const path of jsonl) refuseForeignFile(path, isJournal)
  const stdoutTaken = names.length > outputs.length
  const inActions = reporters.includes(github) || shell.env.GITHUB_ACTIONS === 'true'
  const [named] = resume === undefined ? jsonl : [resume]
  let lock: FileLock | undefined
  return {
    lock() {
      // In a folder that is not there, nobody writes; it is made when all cases are known to be valid.
      if (named !== undefined && existsSync(dirname(named))) lock ??= lockJournal(named)
    },
    check() {
      for (const path of paths) checkWritable(path)
    },
    async openJournal() {
      if (resume) return Journal.resume(resume, lock)
      if (named !== undefined) return Journal.create(named, defined({ lock }))
      return openUnnamed(outputs.length === 0 && keptIn === undefined ? caseFile : undefined, project, keptIn)
    },
    release: () => lock?.release(),
    reporters: (journal) => [
      ...jsonl.filter((path) => path !== journal.path).map((path) => jsonlCopyReporter(path, journal.path)),
      ...wanted.map(({ name, path }) => namedReporter(name, path, agents, shell)),
      ...(inActions ? [githubReporter(workflow(json || stdoutTaken, shell))] : []),
    ],
    stdoutTaken,
    files: paths,
  }
}

/** The nth name for the nth path, one more for stdout; spare paths go by their extension. None may do harm. */
export function planReports(
  names: readonly string[],
  paths: readonly string[],
  inputs: readonly string[],
): { name: string; path?: string }[] {
  const spare = paths.slice(names.length)
  for (const path of spare) checkFormat(path)
  checkTargets(paths, inputs)
  const wanted = [
    ...names.map((name, index) => ({ name, ...defined({ path: paths[index] }) })),
    ...spare.flatMap((path) => {
      const report = findReportForFile(path)
      return report === undefined ? [] : [{ name: report.name, path }]
    }),
  ]
  for (const { name, path } of wanted) if (path !== undefined) checkReportTarget(name, path)
  return wanted
}

/** Where something else is on stdout, commands go to the other stream, which is read for them too. */
function workflow(stdoutTaken: boolean, { stdout, stderr, env }: CommandStart['shell']): GithubOptions {
  const stream = stdoutTaken ? stderr : stdout
  return { write: (text) => void stream.write(text), summaryFile: env.GITHUB_STEP_SUMMARY }
}

/** A report may be made again, but not in the place of results, cases or code. */
function checkReportTarget(name: string, path: string): void {
  if (extname(path) === '.jsonl') {
    const message = `-o ${path}: ${name} writes no JSONL; results are written there without -r`
    throw new ConfigError({ code: 'bad_output', message })
  }
  const report = findReportByName(name)
  const replaceable = ['.md', '.html', '.txt', '.xml', '.csv', ''].includes(extname(path))
  if (report !== undefined || !replaceable) refuseForeignFile(path, report?.isOurs ?? isJsonReport)
}

/** One that is no agent. */
export function isBuiltInReport(name: string): boolean {
  return name === github || findReportByName(name) !== undefined
}

function namedReporter(
  name: string,
  path: string | undefined,
  agents: ReporterAgents,
  { stdout }: CommandStart['shell'],
): Reporter {
  const target = path === undefined ? { stream: stdout } : { path }
  const report = findReportByName(name)
  if (report !== undefined) return createReportWriter(target, name, report.render)
  const format = formatsForAgents[extname(path ?? '')] ?? 'text'
  return agentReporter({ id: name, target, ask: (told) => agents.ask(name, { report: told, format }) })
}

const formatsForAgents: Record<string, string> = {
  '.html': 'html',
  '.md': 'markdown',
  '.json': 'json',
  '.xml': 'xml',
}

/** One thing on stdout at most. */
export function checkStdout(reports: number, json: boolean): void {
  if (reports <= (json ? 0 : 1)) return
  const others = json ? '--json' : 'another report'
  throw new ConfigError({ code: 'bad_flag', message: `-r without an -o goes to stdout, where ${others} is` })
}

function checkReporter(name: string, agents: ReporterAgents): void {
  if (isBuiltInReport(name)) return
  const problem = agents.problem(name)
  if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `-r ${name}: ${problem}` })
}

function checkFormat(path: string): void {
  const extension = extname(path)
  if (extension === '.jsonl' || findReportForFile(path) !== undefined) return
  const message = `-o ${path}: unknown format "${extension}"`
  throw new ConfigError({ code: 'bad_output', message, hint: `use .jsonl, ${reportExtensions.join(', ')}` })
}

/** No file is written twice, and none that is read. */
function checkTargets(paths: readonly string[], inputs: readonly string[]): void {
  const targets = paths.map(resolveLinks)
  const repeated = paths.find((_, index) => targets.indexOf(targets[index] ?? '') !== index)
  if (repeated) throw new ConfigError({ code: 'bad_flag', message: `-o ${repeated} is given twice` })
  const read = inputs.map(resolveLinks)
  const input = paths.find((_, index) => read.includes(targets[index] ?? ''))
  if (input) throw new ConfigError({ code: 'bad_output', message: `-o ${input} is an input of the run` })
}

/** Told before the run, not after an hour of it. */
export function checkWritable(path: string): void {
  try {
    makeFolder(dirname(path))
    accessSync(dirname(path), constants.W_OK)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory()) throw new Error('it is a folder')
    // A report is moved to its place, which would put a file where /dev/null was.
    if (found?.isFile() === false) throw new Error('it is no file')
  } catch (error) {
    throw new OutputError(`${path} cannot be written: ${messageOf(error)}`)
  }
}

/** Results that nobody gave a place. */
function openUnnamed(caseFile: string | undefined, project: Project, keptIn = 'runs'): Journal {
  if (caseFile !== undefined) return createUntaken(join(dirname(caseFile), `output-${timestamp()}`))
  const folder = join(project.root, '.viva')
  try {
    makeFolder(join(makeVivaFolder(project.root), keptIn))
  } catch (error) {
    throw new OutputError(`${folder} cannot be written: ${messageOf(error)}`)
  }
  return createUntaken(join(folder, keptIn, timestamp()))
}

/** Two runs in the same second get a file each. */
function createUntaken(base: string): Journal {
  for (let suffix = 1; ; suffix++) {
    try {
      return Journal.create(`${base}${suffix === 1 ? '' : `-${suffix}`}.jsonl`, { exclusive: true })
    } catch (error) {
      const isTaken = error instanceof LockedError || (error as NodeJS.ErrnoException).code === 'EEXIST'
      if (!isTaken) throw error
    }
  }
}

/** `20241217100000`, local time. */
function timestamp(now = new Date()): string {
  const parts = [
    now.getFullYear(),
    now.getMonth() + 1,
    now.getDate(),
    now.getHours(),
    now.getMinutes(),
    now.getSeconds(),
  ]
  return parts.map((part) => String(part).padStart(2, '0')).join('')
}

/** As short as it can be named from here. */
export function shownPath(project: Project, path: string): string {
  const fromHere = projectPath({ ...project, root: project.cwd }, path)
  return fromHere.startsWith('../..') ? path : fromHere
}
