import { resolve } from 'node:path'
import { ConfigError, messageOf, OutputError } from '../errors.ts'
import { reportNamed, reportNames } from '../reporters/built-in.ts'
import { writeReport } from '../reporters/report.ts'
import { nearest } from '../text/nearest.ts'
import { concealFor } from './conceal.ts'
import { checkStdout, checkWritable, planReports } from './outputs.ts'
import { openSavedRun, type PrivacyFlags, resultsFile } from './saved-run.ts'

export interface ReportFlags extends PrivacyFlags {
  output?: string[]
  reporter?: string[]
}

/** `viva report results.jsonl -o report.md`: reports of a run that is over. Without `-o` and `-r` a summary on stdout. */
export async function reportCommand(
  file: string,
  { output = [], reporter = [], ...privacy }: ReportFlags,
): Promise<number> {
  const path = resultsFile(file)
  for (const name of reporter) checkName(name)
  checkStdout(reporter.length - output.length, false)
  concealFor({ transcripts: true, masks: privacy.mask ?? [] })
  const names = reporter.length + output.length === 0 ? ['report.summary'] : reporter
  const paths = output.map((each) => resolve(each))
  const wanted = planReports(names, paths, [path])
  if (wanted.length < paths.length)
    throw new ConfigError({
      code: 'bad_output',
      message: 'viva report makes reports, no .jsonl: that is what it reads',
    })
  for (const target of paths) checkWritable(target)
  const run = await openSavedRun(file, privacy)
  for (const { name, path: target } of wanted) {
    const report = reportNamed(name)
    if (report === undefined) throw new Error(`no report ${name}`)
    await writeReport(
      target === undefined ? { stream: process.stdout } : { path: target },
      report.render(run, run.results),
    ).catch((error: NodeJS.ErrnoException) => {
      throw target !== undefined && error.syscall !== undefined
        ? new OutputError(`${target} cannot be written: ${messageOf(error)}`)
        : error
    })
  }
  return 0
}

function checkName(name: string): void {
  if (reportNamed(name) !== undefined) return
  const guess = nearest(name, reportNames)
  throw new ConfigError({
    code: 'bad_flag',
    message: `-r ${name}: there is no such report${guess === undefined ? '' : ` (did you mean ${guess}?)`}`,
    hint: `there are ${reportNames.join(', ')}`,
  })
}
