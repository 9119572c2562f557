import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import type { RedactEvent } from '../../privacy/redaction.ts'
import type { ResultsOptions } from '../../results/read-results.ts'
import type { CaseResult } from '../../results/result.ts'
import { readSavedRun, type SavedRun } from '../../results/saved-run.ts'
import { pluralize } from '../../text/counted.ts'
import type { CommandStart } from '../command-start.ts'
import { redactSavedRun } from '../phases/privacy.ts'

export interface PrivacyFlags {
  transcripts?: boolean
  mask?: readonly string[]
}

export type SavedRunNeeds = { shell: { cwd: string } } & Pick<CommandStart, 'warn'>

/** The run in a file of results, without what shall not be seen of it. */
export async function openSavedRun(
  file: string,
  privacy: PrivacyFlags,
  { shell: { cwd }, warn }: SavedRunNeeds,
): Promise<SavedRun> {
  const run = await readSavedRun(resultsFile(file, cwd), file)
  if (run.unreadable > 0) {
    const lines = pluralize(run.unreadable, 'line')
    warn(`${file}: ${lines} cannot be read: what stood there counts as not played`)
  }
  const { transcripts = true, mask = [] } = privacy
  const redactEvent = await redactSavedRun({ transcripts, masks: mask }, cwd, () =>
    run.results({ attempts: true }),
  )
  const started = redactEvent({ type: 'run_started', start: run.start })
  return {
    ...run,
    start: started?.type === 'run_started' ? started.start : run.start,
    results: (options) => savedResults(run, redactEvent, options),
  }
}

async function* savedResults(
  run: SavedRun,
  redactEvent: RedactEvent,
  options?: ResultsOptions,
): AsyncGenerator<CaseResult> {
  for await (const result of run.results(options)) {
    const event = redactEvent({ type: 'case_finished', result })
    if (event?.type === 'case_finished') yield event.result
  }
}

export function resultsFile(file: string, cwd: string): string {
  const path = resolve(cwd, file)
  if (existsSync(path) && statSync(path).isFile()) return path
  const message = existsSync(path) ? `${file} is no file` : `no such file: ${file}`
  throw new ConfigError({ code: 'no_such_file', message })
}
