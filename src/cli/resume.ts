import { existsSync } from 'node:fs'
import { ConfigError } from '../errors.ts'
import { isJournal, readResults } from '../results/journal.ts'
import { keyText } from '../results/key.ts'
import type { CaseResult } from '../results/result.ts'

/** What an interrupted run has results for: only these are not played again. */
export async function finishedResults(path: string): Promise<Map<string, CaseResult>> {
  if (!existsSync(path))
    throw new ConfigError({ code: 'no_such_file', message: `--resume ${path}: no such file` })
  if (!isJournal(path)) {
    throw new ConfigError({ code: 'bad_journal', message: `--resume ${path}: not a results file of viva` })
  }
  const finished = new Map<string, CaseResult>()
  for await (const result of readResults(path)) {
    const key = keyText(result.key)
    const counts = result.status !== 'interrupted' && result.status !== 'not_run'
    if (counts) finished.set(key, result)
    else finished.delete(key)
  }
  return finished
}
