import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../errors.ts'
import type { RedactEvent } from '../privacy/redaction.ts'
import type { ResultsOptions } from '../results/read-results.ts'
import type { CaseResult } from '../results/result.ts'
import { readSavedRun, type SavedRun } from '../results/saved-run.ts'
import { counted } from '../text/counted.ts'
import { concealSaved } from './conceal.ts'
import { printWarning } from './print-error.ts'

export interface PrivacyFlags {
  transcripts?: boolean
  mask?: readonly string[]
}

/** The run in a file of results, without what shall not be seen of it. */
export async function openSavedRun(file: string, privacy: PrivacyFlags): Promise<SavedRun> {
  const run = await readSavedRun(resultsFile(file), file)
  if (run.unreadable > 0) {
    const lines = counted(run.unreadable, 'line')
    printWarning(`${file}: ${lines} cannot be read: what stood there counts as not played`)
  }
  const { transcripts = true, mask = [] } = privacy
  const conceal = await concealSaved({ transcripts, masks: mask }, () => run.results({ attempts: true }))
  const started = conceal({ type: 'run_started', start: run.start })
  return {
    ...run,
    start: started?.type === 'run_started' ? started.start : run.start,
    results: (options) => savedResults(run, conceal, options),
  }
}

async function* savedResults(
  run: SavedRun,
  conceal: RedactEvent,
  options?: ResultsOptions,
): AsyncGenerator<CaseResult> {
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
