import { createReadStream } from 'node:fs'
import { writeReport } from './report.ts'
import type { Reporter } from './reporter.ts'

/** A second `-o x.jsonl`: the first one is the journal itself. */
export function jsonlCopyReporter(path: string, journalPath: string): Reporter {
  return {
    name: path,
    finish: () => writeReport({ path }, createReadStream(journalPath, 'utf8')),
  }
}
