import { copyFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import type { Reporter } from './reporter.ts'

/** A further `-o x.jsonl`, beside the one that is the journal itself. */
export function jsonlCopyReporter(path: string, journalPath: string): Reporter {
  return {
    name: path,
    async finish() {
      makeFolder(dirname(path))
      await copyFile(journalPath, path)
    },
  }
}
