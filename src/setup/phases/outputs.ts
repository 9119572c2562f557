import { existsSync } from 'node:fs'
import { dirname, extname, resolve } from 'node:path'
import type { DetectedInput } from '../../cases/sources/detect.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Project } from '../../project/project.ts'
import { agentReporter } from '../../reporters/agent-report.ts'
import { findReportByName, reportNames } from '../../reporters/built-in.ts'
import { type GithubOptions, githubReporter } from '../../reporters/github.ts'
import { jsonlCopyReporter } from '../../reporters/jsonl-copy.ts'
import { refuseForeignFile } from '../../reporters/keep-foreign-file.ts'
import { createReportWriter } from '../../reporters/report.ts'
import type { Reporter } from '../../reporters/reporter.ts'
import { isJournal, Journal, lockJournal } from '../../results/journal.ts'
import type { FileLock } from '../../results/lock.ts'
import type { PlannedResults } from '../../results/planned-results.ts'
import { findNearest } from '../../text/nearest.ts'
import type { CommandStart } from '../command-start.ts'
import { createReporterAgents, type ReporterAgents } from '../helpers/reporter-agents.ts'
import { checkStdout, checkWritable, planReports } from '../outputs/targets.ts'
import { openUnnamed } from '../outputs/unnamed-journal.ts'
import type { OutsideWork } from '../outside-cases.ts'
import type { TestHelpers } from './helpers.ts'
import type { Settings } from './settings.ts'
import type { Source } from './source.ts'

/** Where everything goes that a run leaves behind. */
export interface Outputs {
  /** Before anything is started: keeps other runs away from the file of results. */
  lock(): void
  /** Makes sure that all files can be written. */
  check(): void
  /** An interrupted run goes on in its own file. */
  openJournal(plan: PlannedResults): Promise<Journal>
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

/** The same for `viva branch`. */
export const branchOutputsPhase = {
  ...outputsPhase,
  open: (needs: OutputsNeeds) => openOutputs(needs, 'branches'),
} as const

/** The same for `viva grade`. */
export const gradeOutputsPhase = {
  ...outputsPhase,
  open: (needs: OutputsNeeds) => openOutputs(needs, 'grades'),
} as const

function openOutputs(needs: OutputsNeeds, keptIn: string | undefined): Outputs {
  const { settings, project, source, inputs, helpers, outside, shell } = needs
  const { baseline, graded, replay, verbose } = settings
  const read = inputs.flatMap((input) => ('path' in input && input.kind !== 'folder' ? [input.path] : []))
  const results = [baseline, graded, replay?.file].flatMap((file) =>
    file === undefined ? [] : [resolve(shell.cwd, file)],
  )
  const agents = createReporterAgents(helpers.agents, { ...outside, verbose })
  // A folder may have one case file today and two tomorrow: its results stay in one place.
  const caseFile = inputs.some(({ kind }) => kind === 'folder') ? undefined : source.cases.file
  return planOutputs(settings, {
    project,
    inputs: [...read, ...results],
    agents,
    shell,
    ...defined({ keptIn, caseFile }),
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
    async openJournal(plan) {
      if (resume) return Journal.resume(resume, lock)
      if (named !== undefined) return Journal.create(named, plan, defined({ lock }))
      const beside = outputs.length === 0 && keptIn === undefined ? caseFile : undefined
      return openUnnamed(plan, project, { beside, keptIn })
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

/** Where something else is on stdout, commands go to the other stream, which is read for them too. */
function workflow(stdoutTaken: boolean, { stdout, stderr, env }: CommandStart['shell']): GithubOptions {
  const stream = stdoutTaken ? stderr : stdout
  return { write: (text) => void stream.write(text), summaryFile: env.GITHUB_STEP_SUMMARY }
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

function checkReporter(name: string, agents: ReporterAgents): void {
  if (isBuiltInReport(name)) return
  const problem = agents.problem(name)
  if (problem === undefined) return
  const known = [...reportNames, github]
  const nearest = findNearest(name, known)
  const hint =
    nearest === undefined ? `built-in reports: ${known.join(', ')}` : `did you mean the report ${nearest}?`
  throw new ConfigError({ code: 'bad_flag', message: `-r ${name}: ${problem}`, hint })
}
