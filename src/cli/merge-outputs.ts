import { extname, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { findReportByName, reportNames } from '../reporters/built-in.ts'
import { githubReporter } from '../reporters/github.ts'
import { jsonlCopyReporter } from '../reporters/jsonl-copy.ts'
import { refuseForeignFile } from '../reporters/keep-foreign-file.ts'
import { createReportWriter } from '../reporters/report.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { isJournal } from '../results/journal.ts'
import { checkWritable, planReports } from '../setup/outputs/targets.ts'
import type { Shell } from '../system/shell.ts'
import type { GivenFlags } from './flags.ts'
import { checkReportName } from './report-name.ts'

/** Where everything goes that `viva merge` writes. */
export interface MergeOutputs {
  /** The merged results. */
  journal: string
  /** All files, for the closing lines. */
  files: readonly string[]
  /** Makes sure that all files can be written. */
  check(): void
  /** `written`: where the merged results are until they are moved to their place. */
  reporters(written: string): Reporter[]
}

/** `read` are the files that must not be overwritten. */
export function planMergeOutputs(
  { output, reporter }: Pick<GivenFlags, 'output' | 'reporter'>,
  read: readonly string[],
  { cwd, stdout, env }: Shell,
): MergeOutputs {
  const asked = [reporter ?? []].flat().map(String)
  for (const name of asked) checkReportName(name, [...reportNames, 'github'])
  const names = asked.filter((name) => name !== 'github')
  const files = [output ?? []].flat().map((path) => resolve(cwd, String(path)))
  const wanted = planReports(
    names,
    files,
    read.map((path) => resolve(cwd, path)),
  )
  const [journal, ...copies] = files.slice(names.length).filter((path) => extname(path) === '.jsonl')
  if (journal === undefined)
    throw new ConfigError({
      code: 'bad_output',
      message: 'viva merge needs a file for the merged results',
      hint: 'give it -o results.jsonl',
    })
  for (const path of [journal, ...copies]) refuseForeignFile(path, isJournal)
  const write = (text: string) => void stdout.write(text)
  return {
    journal,
    files,
    check() {
      for (const path of files) checkWritable(path)
    },
    reporters: (written) => [
      ...copies.map((path) => jsonlCopyReporter(path, written)),
      ...wanted.flatMap(({ name, path }) => {
        const report = findReportByName(name)
        return report === undefined || path === undefined
          ? []
          : createReportWriter({ path }, name, report.render)
      }),
      ...(asked.includes('github') ? [githubReporter({ write, summaryFile: env.GITHUB_STEP_SUMMARY })] : []),
    ],
  }
}
