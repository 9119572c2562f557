import { accessSync, constants, existsSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { ConfigError, messageOf, OutputError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import { type Project, pathInProject } from '../project/project.ts'
import { agentReporter } from '../reporters/agent-report.ts'
import { isJsonReport, jsonReporter } from '../reporters/json-report.ts'
import { jsonlCopyReporter } from '../reporters/jsonl-copy.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { isJournal, Journal } from '../results/journal.ts'
import type { Settings } from './settings.ts'

/** Where everything goes that a run leaves behind. */
export interface Outputs {
  /** An interrupted run goes on in its own file. */
  openJournal(): Promise<Journal>
  /** Reports for files and for stdout, made when the journal's place is known. */
  reporters(journal: Journal): Reporter[]
  /** Something other than the terminal's lines is on stdout. */
  stdoutTaken: boolean
  /** For the closing lines. */
  files: string[]
}

const formats: Record<string, 'jsonl' | 'json' | undefined> = { '.jsonl': 'jsonl', '.json': 'json' }
const laterFormats = ['.md', '.html', '.xml', '.txt']
const laterReporters = ['report.markdown', 'report.html', 'report.summary', 'junit', 'github']

/** Agents that make reports. */
export interface ReporterAgents {
  /** Undefined when there is such an agent, and it can be asked. */
  problem(id: string): string | undefined
  ask(id: string, told: { report: unknown; format: string }): Promise<string>
}

/** The nth `-r` writes the nth `-o`, one without goes to stdout; spare `-o` go by their extension. */
export function planOutputs(
  { outputs, reporters, resume, json }: Settings,
  caseFile: string | undefined,
  project: Project,
  inputs: readonly string[],
  agents: ReporterAgents,
): Outputs {
  for (const name of reporters) checkReporter(name, agents)
  checkStdout(reporters.length - outputs.length, json)
  const paths = outputs.map((path) => resolve(project.cwd, path))
  const spare = paths.slice(reporters.length)
  const named = reporters.map((name, index) => ({ name, path: paths[index] }))
  const builtIn = named.flatMap(({ name, path }) =>
    name === jsonReportName && path !== undefined ? path : [],
  )
  const mistaken = builtIn.find((path) => formats[extname(path)] === 'jsonl')
  if (mistaken) {
    const message = `-o ${mistaken}: report.json writes one JSON object, not JSONL`
    throw new ConfigError({ code: 'bad_output', message, hint: 'give it a .json file' })
  }
  for (const { name, path } of named)
    if (name !== jsonReportName && path !== undefined) checkAgentTarget(path)
  for (const path of spare) checkFormat(path)
  checkTargets(paths, inputs)

  const jsonl = spare.filter((path) => formats[extname(path)] === 'jsonl')
  for (const path of jsonl) keepForeignFile(path, isJournal)
  const reports = spare.filter((path) => formats[extname(path)] === 'json')
  for (const path of [...builtIn, ...reports]) keepForeignFile(path, isJsonReport)
  return {
    async openJournal() {
      for (const path of paths) checkWritable(path)
      if (resume) return Journal.resume(resume)
      return openJournal(jsonl[0], outputs.length === 0 ? caseFile : undefined, project)
    },
    reporters: (journal) => [
      ...jsonl.filter((path) => path !== journal.path).map((path) => jsonlCopyReporter(path, journal.path)),
      ...reports.map((path) => jsonReporter({ path })),
      ...named.map(({ name, path }) => namedReporter(name, path, agents)),
    ],
    stdoutTaken: reporters.length > outputs.length,
    files: paths,
  }
}

const jsonReportName = 'report.json'

export function isBuiltInReport(name: string): boolean {
  return name === jsonReportName
}

/** A report of an agent may be made again, but not in the place of results, cases or code. */
function checkAgentTarget(path: string): void {
  const replaceable = ['.md', '.html', '.txt', '.xml', '.csv', ''].includes(extname(path))
  if (!replaceable) keepForeignFile(path, isJsonReport)
  if (extname(path) !== '.jsonl') return
  const message = `-o ${path}: a report is no JSONL; results are written there without -r`
  throw new ConfigError({ code: 'bad_output', message })
}

function namedReporter(name: string, path: string | undefined, agents: ReporterAgents): Reporter {
  const target = path === undefined ? { stream: process.stdout } : { path }
  if (name === jsonReportName) return jsonReporter(target)
  const format = formatsForAgents[extname(path ?? '')] ?? 'text'
  return agentReporter({ id: name, target, ask: (report) => agents.ask(name, { report, format }) })
}

const formatsForAgents: Record<string, string> = {
  '.html': 'html',
  '.md': 'markdown',
  '.json': 'json',
  '.xml': 'xml',
}

/** One thing on stdout at most. */
function checkStdout(reports: number, json: boolean): void {
  if (reports <= (json ? 0 : 1)) return
  const others = json ? '--json' : 'another report'
  throw new ConfigError({ code: 'bad_flag', message: `-r without an -o goes to stdout, where ${others} is` })
}

function checkReporter(name: string, agents: ReporterAgents): void {
  if (name === jsonReportName) return
  if (laterReporters.includes(name))
    throw new ConfigError({ code: 'not_yet', message: `-r ${name} is not supported yet` })
  const problem = agents.problem(name)
  if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `-r ${name}: ${problem}` })
}

function checkFormat(path: string): void {
  const extension = extname(path)
  if (formats[extension]) return
  const message = laterFormats.includes(extension)
    ? `-o ${path}: ${extension} reports are not supported yet`
    : `-o ${path}: unknown format "${extension}"`
  throw new ConfigError({ code: 'bad_output', message, hint: 'use .jsonl or .json' })
}

/** No file is written twice, and none that is read. */
function checkTargets(paths: readonly string[], inputs: readonly string[]): void {
  const targets = paths.map(withoutLinks)
  const repeated = paths.find((_, index) => targets.indexOf(targets[index] ?? '') !== index)
  if (repeated) throw new ConfigError({ code: 'bad_flag', message: `-o ${repeated} is given twice` })
  const read = inputs.map(withoutLinks)
  const input = paths.find((_, index) => read.includes(targets[index] ?? ''))
  if (input) throw new ConfigError({ code: 'bad_output', message: `-o ${input} is an input of the run` })
}

/** Of a file that is not there yet, too. */
function withoutLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(withoutLinks(dirname(path)), basename(path))
}

/** A file that is no report of ours, named by mistake, must not be written over. */
function keepForeignFile(path: string, isOurs: (path: string) => boolean): void {
  if (!existsSync(path) || !statSync(path).isFile() || statSync(path).size === 0 || isOurs(path)) return
  throw new ConfigError({
    code: 'bad_output',
    message: `-o ${path}: the file is there already and holds no results of viva`,
    hint: 'choose another name, or remove it',
  })
}

/** Told before the run, not after an hour of it. */
function checkWritable(path: string): void {
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

function openJournal(path: string | undefined, caseFile: string | undefined, project: Project): Journal {
  if (path !== undefined) return Journal.create(path)
  if (caseFile !== undefined) return createUntaken(join(dirname(caseFile), `output-${timestamp()}`))
  const folder = join(project.root, '.viva')
  try {
    makeFolder(join(folder, 'runs'))
    const ignore = join(folder, '.gitignore')
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  } catch (error) {
    throw new OutputError(`${folder} cannot be written: ${messageOf(error)}`)
  }
  return createUntaken(join(folder, 'runs', timestamp()))
}

/** Two runs in the same second get a file each. */
function createUntaken(base: string): Journal {
  for (let suffix = 1; ; suffix++) {
    try {
      return Journal.create(`${base}${suffix === 1 ? '' : `-${suffix}`}.jsonl`, { exclusive: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
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
  const fromHere = pathInProject({ ...project, root: project.cwd }, path)
  return fromHere.startsWith('../..') ? path : fromHere
}
