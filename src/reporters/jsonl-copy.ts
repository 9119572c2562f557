import { copyFile, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Reporter } from './reporter.ts'

/** A further `-o x.jsonl`, beside the one that is the journal itself. */
export function jsonlCopyReporter(path: string, journalPath: string): Reporter {
  return {
    name: path,
    async finish() {
      await mkdir(dirname(path), { recursive: true })
      await copyFile(journalPath, path)
    },
  }
}
