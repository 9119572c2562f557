import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, messageOf, OutputError } from '../errors.ts'
import { reportFor, reportNamed } from '../reporters/built-in.ts'
import { caseSection } from '../reporters/markdown-report.ts'
import { writeReport } from '../reporters/report.ts'
import { readResults } from '../results/journal.ts'
import { toLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import { readSavedRun } from '../results/saved-run.ts'
import { concealFor } from './conceal.ts'
import { keepForeignFile } from './outputs.ts'

export interface ReportFlags extends PrivacyFlags {
  output?: string[]
  reporter?: string[]
}

interface PrivacyFlags {
  transcripts?: boolean
  mask?: string[]
}

/** `viva report results.jsonl -o report.md`: reports of a run that is over. Without `-o` and `-r` a summary on stdout. */
export async function reportCommand(
  file: string,
  { output = [], reporter = [], ...privacy }: ReportFlags,
): Promise<number> {
  const path = resultsFile(file)
  if (reporter.length > output.length + 1)
    throw new ConfigError({
      code: 'bad_flag',
      message: '-r without an -o goes to stdout, where another report is',
    })
  concealFor({ transcripts: true, masks: privacy.mask ?? [] })
  const count = Math.max(reporter.length, output.length, 1)
  const wanted = Array.from({ length: count }, (_, index) => reportOf(reporter[index], output[index]))
  for (const { target, report } of wanted) if ('path' in target) keepForeignFile(target.path, report.isOurs)
  const run = await readSavedRun(path, file)
  for (const { target, report } of wanted) {
    try {
      await writeReport(
        target,
        report.render(run, () => savedResults(path, privacy)),
      )
    } catch (error) {
      throw 'path' in target
        ? new OutputError(`${target.path} cannot be written: ${messageOf(error)}`)
        : error
    }
  }
  return 0
}

/** Each time with a conceal of its own, which remembers values of what is not over yet. */
async function* savedResults(
  path: string,
  { transcripts = true, mask = [] }: PrivacyFlags,
): AsyncGenerator<CaseResult> {
  const conceal = concealFor({ transcripts, masks: mask })
  for await (const result of readResults(path)) {
    const event = conceal({ type: 'case_finished', result })
    if (event?.type === 'case_finished') yield event.result
  }
}

function reportOf(name: string | undefined, output: string | undefined) {
  const standard = output === undefined ? reportNamed('report.summary') : reportFor(output)
  const report = name === undefined ? standard : reportNamed(name)
  if (report !== undefined)
    return { report, target: output === undefined ? { stream: process.stdout } : { path: resolve(output) } }
  const message = name === undefined ? `-o ${output}: unknown format` : `-r ${name}: there is no such report`
  throw new ConfigError({ code: 'bad_flag', message })
}

export interface ExtractFlags extends PrivacyFlags {
  output?: string
  format?: string
}

/** `viva extract results.jsonl -o folder`: a file for each result. */
export async function extractCommand(
  file: string,
  { output = 'extracted', format = 'markdown', ...privacy }: ExtractFlags,
): Promise<number> {
  const path = resultsFile(file)
  if (format !== 'markdown' && format !== 'json')
    throw new ConfigError({ code: 'bad_flag', message: `--format ${format}: must be markdown or json` })
  const { start } = await readSavedRun(path, file)
  const folder = resolve(output)
  const taken = new Set<string>()
  try {
    mkdirSync(folder, { recursive: true })
    for await (const result of savedResults(path, privacy)) {
      const text =
        format === 'json' ? `${JSON.stringify(toLine(result), null, 2)}\n` : caseSection(result, start)
      writeFileSync(join(folder, fileName(result, format, taken)), text)
    }
  } catch (error) {
    throw new OutputError(`${folder} cannot be written: ${messageOf(error)}`)
  }
  process.stdout.write(`${taken.size} ${taken.size === 1 ? 'file' : 'files'} in ${output}\n`)
  return 0
}

/** An id may be anything; a name of a file may not. */
function fileName({ key }: CaseResult, format: string, taken: Set<string>): string {
  const safe =
    key.id
      .replace(/[^\p{L}\p{N}._-]+/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 80) || 'case'
  const run = key.run > 1 ? `-run${key.run}` : ''
  const extension = format === 'json' ? 'json' : 'md'
  for (let number = 1; ; number += 1) {
    const name = `${safe}${run}${number === 1 ? '' : `-${number}`}.${extension}`
    // Some file systems take `A` for `a`.
    if (taken.has(name.toLowerCase())) continue
    taken.add(name.toLowerCase())
    return name
  }
}

function resultsFile(file: string): string {
  const path = resolve(file)
  if (existsSync(path) && statSync(path).isFile()) return path
  throw new ConfigError({ code: 'no_such_file', message: `no such file: ${file}` })
}
