import { defined } from '../defined.ts'
import { ConfigError } from '../errors.ts'
import { parseJson } from '../json.ts'
import { readLines } from '../read-lines.ts'
import { readStart, resultLines } from './journal.ts'
import { keyText } from './key.ts'
import { type StartLine, type SummaryLine, summaryLineSchema } from './line-schema.ts'
import type { RunStart, RunSummary } from './summary.ts'
import { exitCodeOf, Tally } from './tally.ts'

/** A run as it stands in its file of results. It is counted anew: a run that was cut off has no summary. */
export interface SavedRun {
  start: RunStart
  summary: RunSummary
  exitCode: number
}

/** `file` is how messages name it. */
export async function readSavedRun(path: string, file: string): Promise<SavedRun> {
  const line = await readStart(path)
  if (line === undefined) {
    const message = `${file} holds no results of viva`
    throw new ConfigError({ code: 'no_results', message, hint: 'give it the .jsonl file of a run' })
  }
  const plan = new Map<string, string>()
  let spentMs = 0
  for await (const { result } of resultLines(path)) {
    plan.set(keyText(result), result.case_hash)
    spentMs += result.duration_ms
  }
  const tally = new Tally(plan)
  for await (const { result } of resultLines(path)) tally.add(result)
  const told = await readSummary(path)
  const start = startFromLine(line)
  const counted = tally.summary(told?.duration_ms ?? spentMs)
  const summary = told ? counted : withMissing(counted, start)
  return { start, summary, exitCode: told?.exit_code ?? exitCodeOf(summary) }
}

/** What a run that was cut off did not come to is missing, not forgotten. */
function withMissing(summary: RunSummary, { totalCases, runs }: RunStart): RunSummary {
  const missing = Math.max(0, totalCases * runs - summary.total)
  return { ...summary, total: summary.total + missing, notRun: summary.notRun + missing }
}

/** The last one: a run that was resumed has several. */
async function readSummary(path: string): Promise<SummaryLine | undefined> {
  let last: SummaryLine | undefined
  for await (const { text } of readLines(path)) {
    if (text.startsWith('{"type":"summary"')) last = summaryLineSchema.safeParse(parseJson(text)).data ?? last
  }
  return last
}

function startFromLine(line: StartLine): RunStart {
  const { user_id, team_id, locale } = line.environment
  return {
    schemaVersion: line.schema_version,
    vivaVersion: line.viva_version,
    timestamp: line.timestamp,
    planHash: line.plan_hash,
    totalCases: line.total_cases,
    agentId: line.agent_id,
    variants: line.variants,
    runs: line.runs,
    environment: { userId: user_id, teamId: team_id, locale },
    ...defined({
      connector: line.connector,
      seed: line.seed,
      resumed: line.resumed,
      scripts: line.scripts,
      command: line.command,
    }),
  }
}
