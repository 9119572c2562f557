import { resolve } from 'node:path'
import { ConfigError, errorMessage, OutputError } from '../../errors.ts'
import { findReportByName } from '../../reporters/built-in.ts'
import { writeReport } from '../../reporters/report.ts'
import { checkStdout, checkWritable, planReports } from '../../setup/outputs/targets.ts'
import { createPrivacy } from '../../setup/phases/privacy.ts'
import { openSavedRun, type PrivacyFlags, resultsFile } from '../../setup/saved/saved-run.ts'
import type { Shell } from '../../system/shell.ts'
import { printWarning } from '../print-error.ts'
import { checkReportName } from '../report-name.ts'

export interface ReportFlags extends PrivacyFlags {
  output?: string[]
  reporter?: string[]
}

/** `viva report results.jsonl -o report.md`: reports of a run that is over. Without `-o` and `-r` a summary on stdout. */
export async function reportCommand(
  file: string,
  { output = [], reporter = [], ...privacy }: ReportFlags,
  shell: Shell,
): Promise<number> {
  const path = resultsFile(file, shell.cwd)
  for (const name of reporter) checkReportName(name)
  checkStdout(reporter.length - output.length, false)
  // Masks that cannot be read are reported before anything is written.
  createPrivacy({ transcripts: true, masks: privacy.mask ?? [] }, shell.cwd)
  const names = reporter.length + output.length === 0 ? ['report.summary'] : reporter
  const paths = output.map((each) => resolve(shell.cwd, each))
  const wanted = planReports(names, paths, [path])
  if (wanted.length < paths.length)
    throw new ConfigError({
      code: 'bad_output',
      message: 'viva report makes reports, no .jsonl: that is what it reads',
    })
  for (const target of paths) checkWritable(target)
  const run = await openSavedRun(file, privacy, { shell, warn: (text) => printWarning(shell, text) })
  for (const { name, path: target } of wanted) {
    const report = findReportByName(name)
    if (report === undefined) throw new Error(`no report ${name}`)
    await writeReport(
      target === undefined ? { stream: shell.stdout } : { path: target },
      report.render(run, run.results),
    ).catch((error: NodeJS.ErrnoException) => {
      throw target !== undefined && error.syscall !== undefined
        ? new OutputError(`${target} cannot be written: ${errorMessage(error)}`)
        : error
    })
  }
  return 0
}
