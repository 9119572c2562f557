import { snakeKeys } from '../json/key-case.ts'
import type { ItemList } from '../json/lazy-list.ts'
import type { CaseStability } from '../results/case-stability.ts'
import { resultToLine } from '../results/line.ts'
import type { CaseResult } from '../results/result.ts'
import { caseText, listTrials, type StabilityTally, tallyStability } from '../results/stability.ts'
import { consistencyMethod } from '../results/stability-class.ts'
import { stabilityToLine } from '../results/stability-line.ts'
import { meanRate } from '../results/statistics/mean-rate.ts'
import { toPercent } from '../results/statistics/percent.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import { summaryToLine } from '../results/summary-line.ts'
import { beginsWith } from '../system/begins-with.ts'
import { schemaVersion } from '../version.ts'
import { computePassK } from './pass-k-lines.ts'
import type { Render } from './report.ts'
import { isScriptRun, scriptReportEntry, scriptReportHead } from './script-report.ts'
import { escapeCommandsInJson } from './workflow-commands.ts'

const heads = ['{\n  "summary": {\n    "total": ', '{\n  "type": "script_test",\n']

/** Whether a file begins like one of viva's own reports. */
export function isJsonReport(path: string): boolean {
  return heads.some((head) => beginsWith(path, head))
}

/** The whole run as one JSON object, written result by result so that it never has to fit into memory. */
export const jsonReport: Render = async function* ({ start, summary, exitCode }, results) {
  const ofScripts = isScriptRun(start)
  const stability = start.runs > 1 && !ofScripts ? await tallyStability(results()) : undefined
  const head = ofScripts
    ? scriptReportHead(start, summary)
    : reportHead(start, summary, exitCode, stability?.cases())
  yield `${escapeCommandsInJson(JSON.stringify(head, null, 2)).slice(0, -2)},\n  "results": [`
  const several = (start.scripts ?? []).length > 1
  const entries = stability
    ? groupByCase(results(), stability)
    : mapResults(results(), ofScripts ? (result) => scriptReportEntry(result, several) : resultEntry)
  let first = true
  for await (const entry of entries) {
    yield `${first ? '' : ','}\n    ${escapeCommandsInJson(JSON.stringify(entry))}`
    first = false
  }
  const carried = (start.carriedOver ?? []).map(([file, id, variant, since]) => ({
    file,
    id,
    variant,
    since,
  }))
  if (carried.length > 0)
    yield `\n  ],\n  "carried_over": [${carried.map((each) => `\n    ${escapeCommandsInJson(JSON.stringify(each))}`).join()}`
  const metadata = {
    started_at: start.timestamp,
    completed_at: new Date().toISOString(),
    version: start.vivaVersion,
    ...(start.origin && { origin: start.origin }),
    ...(ofScripts ? {} : { schema_version: schemaVersion }),
  }
  yield `\n  ],\n  "metadata": ${JSON.stringify(metadata, null, 2).replace(/\n/g, '\n  ')}\n}\n`
}

async function* mapResults<T>(
  results: AsyncIterable<CaseResult>,
  entry: (result: CaseResult) => T,
): AsyncGenerator<T> {
  for await (const result of results) yield entry(result)
}

/** The runs of a case become one entry, as soon as the last of them was read. */
async function* groupByCase(
  results: AsyncIterable<CaseResult>,
  tally: StabilityTally,
): AsyncGenerator<object> {
  const open = new Map<string, CaseResult[]>()
  for await (const result of results) {
    const text = caseText(result.key)
    const runs = open.get(text) ?? []
    runs.push(result)
    open.set(text, runs)
    if (runs.length < tally.runsOf(result.key)) continue
    open.delete(text)
    const stability = tally.of(result.key)
    if (stability === undefined) continue
    const { type: _, ...line } = stabilityToLine(stability)
    const inOrder = runs.sort((one, other) => one.key.run - other.key.run)
    yield { ...line, run_details: inOrder.map(resultEntry) }
  }
}

function reportHead(
  start: RunStart,
  summary: RunSummary,
  exitCode: number,
  cases: ItemList<CaseStability> | undefined,
): object {
  const { type: _, pass_rate, ...counts } = summaryToLine(summary, exitCode)
  return {
    summary: {
      ...counts,
      agent_id: start.agentId,
      connector: start.connector ?? null,
      runs_per_case: start.runs,
      overall_pass_rate: pass_rate,
      ...(cases && stabilityCounts(cases, summary.total, start)),
    },
    environment: snakeKeys(start.environment),
  }
}

function stabilityCounts(
  cases: ItemList<CaseStability>,
  runs: number,
  { totalCases, gates, origin }: RunStart,
): object {
  const stable = cases.filter(({ stability }) => stability === 'stable').length
  const unstable = cases.filter(({ stability }) => stability !== undefined && stability !== 'stable').length
  const overall = meanRate(listTrials(cases))
  return {
    total_cases: Math.max(totalCases, cases.length),
    total_runs: runs,
    stable_cases: origin === undefined ? stable : null,
    unstable_cases: origin === undefined ? unstable : null,
    ...(overall && {
      pass_rate_low: toPercent(overall.low, 1),
      pass_rate_high: toPercent(overall.high, 1),
    }),
    pass_k: computePassK(cases, gates).map(({ k, all, any, cases: enough }) => ({
      k,
      'pass^k': roundChance(all),
      'pass@k': roundChance(any),
      cases: enough,
    })),
    consistency_method: consistencyMethod,
  }
}

function roundChance(chance: number): number {
  return Math.round(chance * 10_000) / 10_000
}

function ownRate({ status, origin }: CaseResult): number | null {
  if (origin !== undefined) return null
  return status === 'passed' ? 100 : 0
}

/** A result line, with the keys that every entry of a report has. */
function resultEntry(result: CaseResult): object {
  const { type: _, ...line } = resultToLine(result)
  const judged = result.status === 'passed' || result.status === 'failed'
  return {
    input: null,
    output: null,
    expected: null,
    error: null,
    ...line,
    ...(judged ? { pass_rate: ownRate(result) } : {}),
  }
}
