import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { makeFolder } from '../make-folder.ts'
import { beginsWith } from '../results/journal.ts'
import { toLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import { summaryToLine } from '../results/summary-line.ts'
import type { RunEvent } from '../run-event.ts'
import type { Reporter } from './reporter.ts'
import { isScriptRun, scriptReportEntry, scriptReportHead } from './script-report.ts'

type Target = { path: string } | { stream: Writable }

/** The whole run as one JSON object. Written result by result, so its size does not matter. */
export function jsonReporter(target: Target): Reporter {
  const { on, parts } = jsonReport()
  return {
    name: 'path' in target ? target.path : 'report.json',
    on,
    finish: (results) => writeReport(target, parts(results())),
  }
}

/** Listens to a run, and then gives its report piece by piece. */
export function jsonReport() {
  let start: RunStart | undefined
  let summary: RunSummary | undefined
  let exitCode = 0
  return {
    on(event: RunEvent) {
      if (event.type === 'run_started') start = event.start
      if (event.type === 'run_finished') {
        summary = event.summary
        exitCode = event.exitCode
      }
    },
    parts(results: AsyncIterable<CaseResult>): AsyncIterable<string> {
      if (start === undefined || summary === undefined) throw new Error('the run never started')
      return reportParts(start, summary, exitCode, results)
    },
  }
}

export async function writeReport(
  target: Target,
  parts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  if ('path' in target) return writeWhole(target.path, parts)
  for await (const part of parts) if (!target.stream.write(part)) await once(target.stream, 'drain')
}

/** Whether a file begins as our reports do. */
export function isJsonReport(path: string): boolean {
  return (
    beginsWith(path, '{\n  "summary": {\n    "total": ') || beginsWith(path, '{\n  "type": "script_test",\n')
  )
}

async function* reportParts(
  start: RunStart,
  summary: RunSummary,
  exitCode: number,
  results: AsyncIterable<CaseResult>,
): AsyncGenerator<string> {
  const ofScripts = isScriptRun(start)
  const several = (start.scripts ?? []).length > 1
  const head = ofScripts ? scriptReportHead(start, summary) : reportHead(start, summary, exitCode)
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "results": [`
  let first = true
  for await (const result of results) {
    yield `${first ? '' : ','}\n    ${JSON.stringify(ofScripts ? scriptReportEntry(result, several) : resultEntry(result))}`
    first = false
  }
  const metadata = {
    started_at: start.timestamp,
    completed_at: new Date().toISOString(),
    version: start.vivaVersion,
    ...(ofScripts ? {} : { schema_version: start.schemaVersion }),
  }
  yield `\n  ],\n  "metadata": ${JSON.stringify(metadata, null, 2).replace(/\n/g, '\n  ')}\n}\n`
}

function reportHead(start: RunStart, summary: RunSummary, exitCode: number): object {
  const { environment } = start
  const { type: _, pass_rate, ...counts } = summaryToLine(summary, exitCode)
  return {
    summary: {
      ...counts,
      agent_id: start.agentId,
      connector: start.connector ?? null,
      runs_per_case: start.runs,
      overall_pass_rate: pass_rate,
    },
    environment: { user_id: environment.userId, team_id: environment.teamId, locale: environment.locale },
  }
}

/** A result line with the keys that a report always has. */
function resultEntry(result: CaseResult): object {
  const { type: _, ...line } = toLine(result)
  const judged = result.status === 'passed' || result.status === 'failed'
  return {
    input: null,
    output: null,
    expected: null,
    error: null,
    ...line,
    ...(judged ? { pass_rate: result.status === 'passed' ? 100 : 0 } : {}),
  }
}

/** Beside its place first, then moved there: a report is whole or not there. */
async function writeWhole(path: string, parts: AsyncIterable<string> | Iterable<string>): Promise<void> {
  makeFolder(dirname(path))
  const draft = `${path}.${process.pid}.part`
  const stream = createWriteStream(draft)
  const done = finished(stream)
  try {
    for await (const part of parts) if (!stream.write(part)) await Promise.race([once(stream, 'drain'), done])
    stream.end()
    await done
    await rename(draft, path)
  } catch (error) {
    stream.destroy()
    await rm(draft, { force: true })
    throw error
  }
}
