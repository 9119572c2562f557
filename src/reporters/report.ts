import { once } from 'node:events'
import { createWriteStream, statSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ResultsOptions } from '../results/read-results.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import { transcriptMode } from '../results/transcript-mode.ts'
import { makeFolder } from '../system/make-folder.ts'
import { mainEvents, type Reporter } from './reporter.ts'

/** A finished run without its results, which may not fit into memory. */
export interface FinishedRun {
  start: RunStart
  summary: RunSummary
  exitCode: number
}

/** Reads the results that count, or all attempts. */
export type ReadResults = (options?: ResultsOptions) => AsyncIterable<CaseResult>

/** Renders a run piece by piece. It may read the results several times. */
export type Render = (run: FinishedRun, results: ReadResults) => AsyncIterable<string> | Iterable<string>

export type ReportTarget = { path: string } | { stream: Writable }

/** A reporter that writes its report at the end of the run. */
export function createReportWriter(target: ReportTarget, name: string, render: Render): Reporter {
  const listener = listenToRun()
  return {
    name: 'path' in target ? target.path : name,
    events: listener.events,
    on: listener.on,
    finish: async (results) => writeReport(target, render(listener.run(), results)),
  }
}

/** Remembers the start and the summary of a run. */
export function listenToRun() {
  let start: RunStart | undefined
  let ended: Pick<FinishedRun, 'summary' | 'exitCode'> | undefined
  return {
    events: mainEvents,
    on(event: RunEvent): void {
      if (event.type === 'run_started') start = event.start
      if (event.type === 'run_finished') ended = { summary: event.summary, exitCode: event.exitCode }
    },
    run(): FinishedRun {
      if (start === undefined || ended === undefined) throw new Error('the run never started')
      return { start, ...ended }
    },
  }
}

export async function writeReport(
  target: ReportTarget,
  parts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  if ('path' in target) return writeAtomically(target.path, parts)
  for await (const part of parts) if (!target.stream.write(part)) await waitForDrain(target.stream)
}

/** Also ends when the reader has gone away: then the rest is discarded. */
async function waitForDrain(stream: Writable): Promise<void> {
  if (stream.destroyed) return
  await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(() => {})
}

/** Written beside its path and then renamed, so that a report is either complete or absent. */
async function writeAtomically(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  makeFolder(dirname(path))
  const draft = `${path}.${process.pid}.part`
  try {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode
    await pipeline(parts, createWriteStream(draft, { mode: transcriptMode }))
    // Some file systems have no modes; the report is written anyway.
    if (mode !== undefined) await chmod(draft, mode).catch(() => {})
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
