import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import type { ResultsOptions } from '../results/journal.ts'
import type { CaseResult } from '../results/result.ts'
import { readSavedRun, type SavedRun } from '../results/saved-run.ts'
import { concealFor } from './conceal.ts'
import { printWarning } from './print-error.ts'

export interface PrivacyFlags {
  transcripts?: boolean
  mask?: string[]
}

/** The run in a file of results, without what shall not be seen of it. */
export async function openSavedRun(file: string, privacy: PrivacyFlags): Promise<SavedRun> {
  const run = await readSavedRun(resultsFile(file), file)
  if (run.unreadable > 0) {
    const lines = run.unreadable === 1 ? '1 line' : `${run.unreadable} lines`
    printWarning(`${file}: ${lines} cannot be read: what stood there counts as not played`)
  }
  return { ...run, results: (options) => savedResults(run, privacy, options) }
}

/** Each time with a conceal of its own, which remembers values of what is not over yet. */
async function* savedResults(
  run: SavedRun,
  { transcripts = true, mask = [] }: PrivacyFlags,
  options?: ResultsOptions,
): AsyncGenerator<CaseResult> {
  const conceal = concealFor({ transcripts, masks: mask })
  for await (const result of run.results(options)) {
    const event = conceal({ type: 'case_finished', result })
    if (event?.type === 'case_finished') yield event.result
  }
}

export function resultsFile(file: string): string {
  const path = resolve(file)
  if (existsSync(path) && statSync(path).isFile()) return path
  const message = existsSync(path) ? `${file} is no file` : `no such file: ${file}`
  throw new ConfigError({ code: 'no_such_file', message })
}
