import { statSync } from 'node:fs'
import { ConfigError } from '../errors.ts'
import { isJournal } from '../results/journal.ts'
import { keyText } from '../results/key.ts'
import { readResults, readStart } from '../results/read-results.ts'
import type { PlannedResults } from '../results/tally.ts'

/** What an interrupted run has results for: only these are not played again. `variants` are without secrets. */
export async function finishedResults(path: string, variants: readonly string[]): Promise<PlannedResults> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new ConfigError({ code: 'no_such_file', message: `--resume ${path}: no such file` })
  }
  const start = isJournal(path) ? await readStart(path) : undefined
  if (start === undefined) {
    throw new ConfigError({ code: 'bad_journal', message: `--resume ${path}: not a results file of viva` })
  }
  if (start.variants.join() !== variants.join()) {
    const message = `--resume ${path}: its results are of ${start.variants.join(', ')}, not of ${variants.join(', ')}`
    throw new ConfigError({ code: 'other_agent', message })
  }
  const finished = new Map<string, string>()
  for await (const { key, status, caseHash, retrying } of readResults(path)) {
    const open = status === 'interrupted' || status === 'not_run' || retrying
    if (!open) finished.set(keyText(key), caseHash)
  }
  return finished
}
