import { extname, resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import { findReportForFile, reportExtensions } from '../reporters/built-in.ts'
import { refuseForeignFile } from '../reporters/keep-foreign-file.ts'
import { createReportWriter } from '../reporters/report.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { isJournal, Journal } from '../results/journal.ts'
import type { PlannedResults } from '../results/planned-results.ts'
import type { ResultStore } from '../results/store.ts'

export interface SuiteOutputs {
  /** Undefined where no file was asked for. */
  openStore(plan: PlannedResults): ResultStore | undefined
  reporters: Reporter[]
}

/** Files that a suite leaves behind, as the command does; what is wrong with them is told before anything is played. */
export function suiteOutputs(output: string | readonly string[] = []): SuiteOutputs {
  const paths = [output].flat().map((path) => resolve(path))
  const [journal, another] = paths.filter(isResultsFile)
  const [repeated] = paths.filter((path, index) => paths.indexOf(path) !== index)
  if (repeated !== undefined) throw badOutput(`output ${repeated} is given twice`)
  if (another !== undefined) throw badOutput(`output ${another}: the results go to one .jsonl file`)
  if (journal !== undefined) refuseForeignFile(journal, isJournal)
  const reporters = paths
    .filter((path) => !isResultsFile(path))
    .map((path) => {
      const report = findReportForFile(path)
      if (report === undefined)
        throw badOutput(
          `output ${path}: unknown format "${extname(path)}" (use .jsonl, ${reportExtensions.join(', ')})`,
        )
      refuseForeignFile(path, report.isOurs)
      return createReportWriter({ path }, report.name, report.render)
    })
  return {
    openStore: (plan) => (journal === undefined ? undefined : Journal.create(journal, plan)),
    reporters,
  }
}

function isResultsFile(path: string): boolean {
  return extname(path) === '.jsonl'
}

function badOutput(message: string): ConfigError {
  return new ConfigError({ code: 'bad_output', message })
}
