import { defined, emptyToUndefined } from '../../json/defined.ts'
import { createAnnouncer } from '../../reporters/announce.ts'
import type { Reporter } from '../../reporters/reporter.ts'
import type { Gates } from '../../results/gates.ts'
import { resultFromLine } from '../../results/line.ts'
import type { ResultPlan } from '../../results/planned-results.ts'
import { resultLines } from '../../results/read-results.ts'
import type { ResultStore } from '../../results/store.ts'
import type { RunStart } from '../../results/summary.ts'
import { addUsages, usageAroundCases } from '../../results/usage.ts'
import { usageFromLine } from '../../results/usage-line.ts'
import { type Baseline, type ConcludedRun, concludeRun, type PlayedRun } from '../../run/conclude.ts'
import type { ShardFile } from './shard-file.ts'

interface MergeOptions {
  start: RunStart
  /** The results of all shards. */
  plan: ResultPlan
  store: ResultStore
  reporters: readonly Reporter[]
  baseline?: Baseline
  maxInfrastructureErrors: number
  signal: AbortSignal
}

/** Reports the results of all shards as one run would have, and sums them up. */
export async function mergeShards(files: readonly ShardFile[], options: MergeOptions): Promise<ConcludedRun> {
  const { start, plan, store, reporters, signal } = options
  // The shards have redacted what they have written.
  const announcer = createAnnouncer(store, { reporters, insiders: [] }, () => (value) => value)
  announcer.emit({ type: 'run_started', start })
  for (const { path } of files)
    for await (const { result } of resultLines(path)) {
      signal.throwIfAborted()
      // A shard that was resumed may have results that no longer count.
      if (plan.find(result, result.case_hash) !== undefined)
        announcer.emit({ type: 'case_finished', result: resultFromLine(result) })
    }
  announcer.flush()
  const spent = files.map(({ summary }) => usageAroundCases(usageFromLine(summary.usage)))
  return concludeRun(
    joinPlayed(files),
    {
      ...options,
      ...defined({ gates: start.gates, carriedOver: start.carriedOver }),
      expected: plan,
      runs: start.runs,
      account: { spent: () => spent.reduce(addUsages, {}) },
    },
    announcer,
  )
}

/** The start of the run of which all files are parts. */
export function joinStarts(files: readonly [ShardFile, ...ShardFile[]], gates: Gates): RunStart {
  const { vivaVersion, connector, variants, runs, seed, environment, command, shard, origin } = files[0].start
  const { planHash, totalCases, multiTurn, agentId } = shard
  // Of those that ran, as far as some were carried over.
  const scripts = files.flatMap(({ start: { scripts: own = [] } }) => own)
  const carriedOver = files.flatMap(({ start: { carriedOver: own = [] } }) => own)
  const timestamps = files.map(({ start }) => start.timestamp).sort()
  return defined({
    vivaVersion,
    timestamp: timestamps[0] ?? '',
    planHash,
    // Of each shard: those that ran.
    totalCases: totalCases - carriedOver.length,
    multiTurn,
    agentId,
    connector,
    variants,
    runs,
    seed,
    environment,
    scripts: carriedOver.length === 0 ? shard.scripts : emptyToUndefined(scripts),
    carriedOver: emptyToUndefined(carriedOver),
    gates: emptyToUndefined(gates),
    command,
    origin,
  })
}

/** From the start of the first shard to the end of the last one. */
function joinPlayed(files: readonly ShardFile[]): PlayedRun {
  const starts = files.map(({ start }) => Date.parse(start.timestamp))
  const ends = files.map(({ start, summary }) => Date.parse(start.timestamp) + summary.duration_ms)
  const overBudget = files.flatMap(({ summary: { over_budget: text } }) => text ?? [])
  const parallel = Math.max(...files.map(({ summary }) => summary.auto_parallel ?? 0))
  return {
    durationMs: Math.max(...ends) - Math.min(...starts),
    overBudget: overBudget.length === 0 ? undefined : [...new Set(overBudget)].join('; '),
    sparedRuns: files.reduce((sum, { summary }) => sum + (summary.spared_runs ?? 0), 0),
    autoParallel: parallel || undefined,
  }
}
