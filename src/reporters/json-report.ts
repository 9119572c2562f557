import { beginsWith } from '../results/journal.ts'
import { toLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import { summaryToLine } from '../results/summary-line.ts'
import type { FinishedRun } from './report.ts'
import { isScriptRun, scriptReportEntry, scriptReportHead } from './script-report.ts'

/** Whether a file begins as our reports do. */
export function isJsonReport(path: string): boolean {
  return (
    beginsWith(path, '{\n  "summary": {\n    "total": ') || beginsWith(path, '{\n  "type": "script_test",\n')
  )
}

/** The whole run as one JSON object. Written result by result, so its size does not matter. */
export async function* jsonReport(
  { start, summary, exitCode }: FinishedRun,
  results: () => AsyncIterable<CaseResult>,
): AsyncGenerator<string> {
  const ofScripts = isScriptRun(start)
  const several = (start.scripts ?? []).length > 1
  const head = ofScripts ? scriptReportHead(start, summary) : reportHead(start, summary, exitCode)
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "results": [`
  let first = true
  for await (const result of results()) {
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
