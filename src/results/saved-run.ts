import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { isRecord } from '../json/json.ts'
import { type FileLine, readFileLines } from '../system/read-lines.ts'
import { schemaVersion } from '../version.ts'
import { KeyNumbers } from './columns/key-numbers.ts'
import { type GateOutcome, judgeGates } from './gates.ts'
import { keyText, type ResultKey } from './key.ts'
import type { ResultLine } from './line-schema.ts'
import { parseLine } from './parse-line.ts'
import { type PlannedResults, ResultPlan } from './planned-results.ts'
import {
  isResultLine,
  type ResultIndex,
  ResultIndexing,
  type ResultsOptions,
  readIndexed,
  resultLines,
  startOfJournal,
} from './read-results.ts'
import type { CaseResult } from './result.ts'
import type { StartLine, SummaryLine } from './run-line-schema.ts'
import { tallyStability } from './stability.ts'
import type { RunStart, RunSummary } from './summary.ts'
import { gateFromLine, startFromLine } from './summary-line.ts'
import { computeExitCode, Tally } from './tally.ts'
import { addUsages, usageAroundCases } from './usage.ts'
import { usageFromLine } from './usage-line.ts'

/** A run read from its results file. It is counted again, so that missing results are noticed. */
export interface SavedRun {
  start: RunStart
  summary: RunSummary
  exitCode: number
  /** The number of lines that are not viva's, except for an incomplete last line. */
  unreadable: number
  results(options?: ResultsOptions): AsyncIterable<CaseResult>
}

/** `file` is the name in messages. */
export async function readSavedRun(path: string, file: string): Promise<SavedRun> {
  const { start: line, summary: written, plan, spentMs, index, unreadable } = await scanResults(path, file)
  const tally = new Tally(plan)
  for await (const { result } of resultLines(path)) tally.addLine(result)
  const counted = tally.summary(written?.duration_ms ?? spentMs)
  const missing = Math.max(0, (written?.total ?? line.total_cases * line.runs) - counted.total)
  const summary = {
    ...counted,
    total: counted.total + missing,
    notRun: counted.notRun + missing,
    usage: addUsages(counted.usage, usageAroundCases(usageFromLine(written?.usage))),
    ...defined({
      carriedOver: line.carried_over?.length,
      gates: written ? written.gates?.map(gateFromLine) : await rejudgeGates(line, readIndexed(path, index)),
      sparedRuns: written?.spared_runs,
      comparison: written?.comparison,
      overBudget: written?.over_budget,
      filesChanged: written?.files_changed,
      autoParallel: written?.auto_parallel,
    }),
  }
  return {
    start: startFromLine(line),
    summary,
    exitCode: written === undefined || missing > 0 ? computeExitCode(summary) : written.exit_code,
    unreadable,
    results: (options) => readIndexed(path, index, options),
  }
}

/** Judges the gates of a run that ended before it wrote its summary. */
async function rejudgeGates(
  { gates }: StartLine,
  results: AsyncIterable<CaseResult>,
): Promise<GateOutcome[] | undefined> {
  return gates && judgeGates(defined(gates), (await tallyStability(results)).cases(), { isComplete: false })
}

/** What is in a results file, before its results are read. */
interface ScannedRun {
  start: StartLine
  /** Undefined when the run did not finish. */
  summary: SummaryLine | undefined
  plan: PlannedResults
  spentMs: number
  keys: KeyNumbers
  index: ResultIndex
  unreadable: number
}

/** Called with every line of a results file. */
interface LineVisitor {
  /** `key` is the number of its key. */
  onResult(line: FileLine, result: ResultLine, key: number): void
  /** Also for an incomplete last line. */
  onUnreadable(line: FileLine): void
}

/** A resumed run has several start lines: the last one counts, and a summary only if it comes after it. */
export async function scanResults(path: string, file: string, visitor?: LineVisitor): Promise<ScannedRun> {
  const { startLineSchema, summaryLineSchema } = await import('./run-line-schema.ts')
  const keys = new KeyNumbers()
  const plan = new ResultPlan(keys)
  const indexing = new ResultIndexing(keys)
  let start: StartLine | undefined
  let summary: SummaryLine | undefined
  const leftOut = new Map<string, ResultKey>()
  let spentMs = 0
  let unreadable = 0
  for await (const read of readFileLines(path)) {
    const { text, number, complete } = read
    if (text === '') continue
    const line = parseLine(text)
    const type = isRecord(line) ? line.type : undefined
    if (type === 'start') {
      checkVersion(line, file)
      start = startLineSchema.safeParse(line).data ?? start
      summary = undefined
      leftOut.clear()
      for (const [file, id, variant, run] of start?.left_out ?? []) {
        const key = { file, id, variant, run }
        leftOut.set(keyText(key), key)
      }
    } else if (type === 'summary') summary = summaryLineSchema.safeParse(line).data
    else if (type === 'result' && isResultLine(line)) {
      plan.set(line, line.case_hash)
      if (leftOut.size > 0) leftOut.delete(keyText(line))
      spentMs += line.duration_ms
      indexing.add(number, line)
      visitor?.onResult(read, line, keys.add(line))
    } else if (type !== 'stability') {
      if (complete) unreadable += 1
      visitor?.onUnreadable(read)
    }
    if (number === 1 && start === undefined && !text.startsWith(startOfJournal)) break
  }
  if (start === undefined) {
    const message = `${file} is not a results file of viva`
    throw new ConfigError({ code: 'no_results', message, hint: 'use the .jsonl file of a run' })
  }
  for (const key of leftOut.values()) {
    plan.delete(key)
    indexing.remove(key)
  }
  return { start, summary, plan, spentMs, keys, index: indexing.end(), unreadable }
}

/** Checked before anything else, because a newer version may write any shape. */
function checkVersion(line: unknown, file: string): void {
  const { schema_version: written, viva_version: version } = isRecord(line) ? line : {}
  if (typeof written !== 'number' || written <= schemaVersion) return
  const message = `${file} was written by viva ${String(version)}, which is newer than this one`
  throw new ConfigError({ code: 'newer_results', message, hint: 'use that version' })
}
