import { defined, emptyToUndefined } from '../json/defined.ts'
import { schemaVersion } from '../version.ts'
import type { GateOutcome } from './gates.ts'
import type { StartLine, SummaryLine } from './run-line-schema.ts'
import type { Counts, RunStart, RunSummary } from './summary.ts'
import { passRate } from './tally.ts'
import { totalCost } from './usage.ts'
import { usageToLine } from './usage-line.ts'

export function startToLine(start: RunStart): StartLine {
  return {
    type: 'start',
    schema_version: schemaVersion,
    viva_version: start.vivaVersion,
    timestamp: start.timestamp,
    plan_hash: start.planHash,
    total_cases: start.totalCases,
    ...defined({ multi_turn: start.multiTurn }),
    agent_id: start.agentId,
    ...defined({ connector: start.connector }),
    variants: start.variants,
    runs: start.runs,
    ...defined({ seed: start.seed, resumed: start.resumed, left_out: start.leftOut }),
    environment: {
      user_id: start.environment.userId,
      team_id: start.environment.teamId,
      locale: start.environment.locale,
    },
    ...defined({ scripts: start.scripts, gates: start.gates, command: start.command }),
  }
}

export function summaryToLine(summary: RunSummary, exitCode: number): SummaryLine {
  const { variants } = summary
  const byVariant =
    variants &&
    Object.fromEntries(Object.entries(variants).map(([name, counts]) => [name, countsToLine(counts)]))
  return {
    type: 'summary',
    total: summary.total,
    ...countsToLine(summary),
    flaky: summary.flaky,
    total_turns: summary.totalTurns,
    duration_ms: Math.round(summary.durationMs),
    ...defined({
      gates: summary.gates?.map(gateToLine),
      spared_runs: summary.sparedRuns,
      comparison: summary.comparison,
      over_budget: summary.overBudget,
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
    }),
  }
}

export function startFromLine(line: StartLine): RunStart {
  const { user_id, team_id, locale } = line.environment
  return {
    vivaVersion: line.viva_version,
    timestamp: line.timestamp,
    planHash: line.plan_hash,
    totalCases: line.total_cases,
    agentId: line.agent_id,
    variants: line.variants,
    runs: line.runs,
    environment: { userId: user_id, teamId: team_id, locale },
    ...defined({
      multiTurn: line.multi_turn,
      connector: line.connector,
      seed: line.seed,
      resumed: line.resumed,
      leftOut: line.left_out,
      scripts: line.scripts,
      gates: line.gates && defined(line.gates),
      command: line.command,
    }),
  }
}
