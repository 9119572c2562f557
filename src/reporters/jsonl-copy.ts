import { createReadStream } from 'node:fs'
import { writeReport } from './report.ts'
import type { Reporter } from './reporter.ts'

/** A further `-o x.jsonl`, beside the one that is the journal itself. */
export function jsonlCopyReporter(path: string, journalPath: string): Reporter {
  return {
    name: path,
    finish: () => writeReport({ path }, createReadStream(journalPath, 'utf8')),
  }
}
