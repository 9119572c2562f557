import { defined, emptyToUndefined } from '../json/defined.ts'
import { camelKeys, snakeKeys } from '../json/key-case.ts'
import { schemaVersion } from '../version.ts'
import type { GateOutcome } from './gates.ts'
import type { StartLine, SummaryLine } from './run-line-schema.ts'
import type { Counts, RunStart, RunSummary } from './summary.ts'
import { passRate } from './tally.ts'
import { totalCost, totalReplayed } from './usage.ts'
import { usageToLine } from './usage-line.ts'

export function startToLine({ shard, ...start }: RunStart): StartLine {
  return {
    type: 'start',
    schema_version: schemaVersion,
    ...defined(snakeKeys(start)),
    environment: snakeKeys(start.environment),
    ...defined({ shard: shard && defined(snakeKeys(shard)) }),
  }
}

export function startFromLine(line: StartLine): RunStart {
  const { type: _, schema_version: __, environment, gates, shard, origin, ...start } = line
  return defined({
    ...camelKeys(start),
    environment: camelKeys(environment),
    gates: gates && defined(gates),
    shard: shard && defined(camelKeys(shard)),
    origin: origin && defined(origin),
  })
}

export function summaryToLine(summary: RunSummary, exitCode: number): SummaryLine {
  const { variants } = summary
  const byVariant =
    variants &&
    Object.fromEntries(Object.entries(variants).map(([name, counts]) => [name, countsToLine(counts)]))
  return {
    type: 'summary',
    total: summary.total,
    ...defined({ carried_over: summary.carriedOver }),
    ...countsToLine(summary),
    flaky: summary.flaky,
    total_turns: summary.totalTurns,
    duration_ms: Math.round(summary.durationMs),
    ...defined({
      gates: summary.gates?.map(gateToLine),
      spared_runs: summary.sparedRuns,
      comparison: summary.comparison,
      over_budget: summary.overBudget,
      files_changed: summary.filesChanged,
      auto_parallel: summary.autoParallel,
      variants: byVariant,
    }),
    exit_code: exitCode,
  }
}

type GateLine = NonNullable<SummaryLine['gates']>[number]

function gateToLine({ interval, ...gate }: GateOutcome): GateLine {
  return { ...gate, ...defined({ rate_low: interval?.low, rate_high: interval?.high }) }
}

export function gateFromLine({ rate_low, rate_high, ...gate }: GateLine): GateOutcome {
  const interval =
    rate_low === undefined || rate_high === undefined ? undefined : { low: rate_low, high: rate_high }
  return defined({ ...gate, interval })
}

function countsToLine(counts: Counts) {
  return {
    ...defined({ origin: counts.origin }),
    passed: counts.passed,
    failed: counts.failed,
    skipped: counts.skipped,
    expected_failures: counts.expectedFailures,
    interrupted: counts.interrupted,
    not_run: counts.notRun,
    unchecked: counts.unchecked,
    infrastructure_errors: counts.infrastructureErrors,
    infrastructure_skips: counts.infrastructureSkips,
    viva_failures: counts.vivaFailures,
    pass_rate: passRate(counts) ?? null,
    ...defined({
      usage: emptyToUndefined(usageToLine(counts.usage)),
      cost: totalCost(counts.usage),
      replayed_cost: totalReplayed(counts.usage).cost || undefined,
    }),
  }
}
