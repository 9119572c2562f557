import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, extname } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { type Project, projectPath } from '../../project/project.ts'
import { findReportByName, findReportForFile, reportExtensions } from '../../reporters/built-in.ts'
import { isJsonReport } from '../../reporters/json-report.ts'
import { refuseForeignFile } from '../../reporters/keep-foreign-file.ts'
import { makeFolder } from '../../system/make-folder.ts'
import { resolveLinks } from '../../system/resolve-links.ts'

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

/** One thing on stdout at most. */
export function checkStdout(reports: number, json: boolean): void {
  if (reports <= (json ? 0 : 1)) return
  const others = json ? '--json' : 'another report'
  throw new ConfigError({ code: 'bad_flag', message: `-r without an -o goes to stdout, where ${others} is` })
}

function checkFormat(path: string): void {
  const extension = extname(path)
  if (extension === '.jsonl' || findReportForFile(path) !== undefined) return
  const message = `-o ${path}: unknown format "${extension}"`
  throw new ConfigError({ code: 'bad_output', message, hint: `use .jsonl, ${reportExtensions.join(', ')}` })
}

/** No file is written twice, and none that is read. */
function checkTargets(paths: readonly string[], inputs: readonly string[]): void {
  const targets = paths.map(fileName)
  const repeated = paths.find((_, index) => targets.indexOf(targets[index] ?? '') !== index)
  if (repeated) throw new ConfigError({ code: 'bad_flag', message: `-o ${repeated} is given twice` })
  const read = inputs.map(fileName)
  const input = paths.find((_, index) => read.includes(targets[index] ?? ''))
  if (input) throw new ConfigError({ code: 'bad_output', message: `-o ${input} is an input of the run` })
}

/** The same for all paths that lead to one file, also if it has two names. */
function fileName(path: string): string {
  // Where a folder of the path is a file, statSync throws.
  const found = existsSync(path) ? statSync(path) : undefined
  return found?.isFile() && found.nlink > 1 ? `${found.dev}:${found.ino}` : resolveLinks(path)
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
    throw new OutputError(`${path} cannot be written: ${errorMessage(error)}`)
  }
}

/** As short as it can be named from here. */
export function shownPath(project: Project, path: string): string {
  const fromHere = projectPath({ ...project, root: project.cwd }, path)
  return fromHere.startsWith('../..') ? path : fromHere
}
