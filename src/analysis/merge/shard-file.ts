import type { Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { isRecord } from '../../json/json.ts'
import { hasResults } from '../../results/journal.ts'
import { parseLine } from '../../results/parse-line.ts'
import type { PlannedResults } from '../../results/planned-results.ts'
import type { SummaryLine } from '../../results/run-line-schema.ts'
import { scanResults } from '../../results/saved-run.ts'
import { nameShard } from '../../results/shard.ts'
import type { RunStart } from '../../results/summary.ts'
import { startFromLine } from '../../results/summary-line.ts'
import { readFileLines } from '../../system/read-lines.ts'
import { pluralize } from '../../text/counted.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { schemaVersion, version } from '../../version.ts'

/** The results file of a shard that has finished. */
export interface ShardFile {
  /** As it was named, for messages. */
  file: string
  path: string
  start: ShardStart
  summary: SummaryLine
  plan: PlannedResults
}

type ShardStart = RunStart & Required<Pick<RunStart, 'shard'>>

/** A file that cannot be merged. */
export interface RefusedFile {
  problem: Problem
  /** Its number, if it is a shard. */
  index?: number
}

/** Only the whole results of a shard, of this version of viva, can be merged. */
export async function readShardFile(path: string, file: string): Promise<ShardFile | RefusedFile> {
  const other = await findOtherVersion(path)
  if (other !== undefined)
    return refuse(`${file} was written by viva ${other}, and this is ${version}`, {
      hint: 'merge with the version that ran it',
    })
  if (!hasResults(path))
    return refuse(`${file} is not a results file of viva`, { hint: 'use the -o of viva test --shard' })
  const { start: line, summary, plan, unreadable } = await scanResults(path, file)
  const start = startFromLine(line)
  if (start.origin?.kind === 'graded')
    return refuse(`${file} was made by viva grade`, {
      hint: 'merge the shards, and grade the merged results',
    })
  if (!isShardStart(start)) return refuse(`${file} is no shard, but a whole run`)
  const { shard } = start
  const unfinished = {
    hint: `finish it: give the same command --resume ${shellQuote(file)}`,
    index: shard.index,
  }
  if (unreadable > 0)
    return refuse(`${file} is damaged: ${pluralize(unreadable, 'line')} cannot be read`, unfinished)
  if (summary === undefined || isInterrupted(summary))
    return refuse(`${file}: ${nameShard(shard)} did not finish`, unfinished)
  if (summary.total !== plan.size) {
    const results = pluralize(summary.total, 'result')
    return refuse(`${file} is damaged: it has ${plan.size} of ${results}`, unfinished)
  }
  return { file, path, start, summary, plan }
}

function refuse(message: string, { hint, index }: { hint?: string; index?: number } = {}): RefusedFile {
  return defined({ problem: defined({ code: 'bad_shard', message, hint }), index })
}

/** Other versions may write other lines, so this is found out first. */
async function findOtherVersion(path: string): Promise<string | undefined> {
  for await (const { text } of readFileLines(path)) {
    const line = parseLine(text)
    if (!isRecord(line) || line.type !== 'start') return undefined
    const { viva_version: written, schema_version: schema } = line
    return written === version && schema === schemaVersion ? undefined : `${String(written)}`
  }
  return undefined
}

function isShardStart(start: RunStart): start is ShardStart {
  return start.shard !== undefined
}

/** A signal stopped it. A run that a budget or `--fail-fast` ended is over. */
function isInterrupted({ exit_code: code }: SummaryLine): boolean {
  return code > 128
}
