import { defined } from '../json/defined.ts'
import type { CaseStability } from './case-stability.ts'
import type { StabilityLine } from './run-line-schema.ts'

export function stabilityToLine(found: CaseStability): StabilityLine {
  const { durations, interval, failureKinds } = found
  const counted = (count: number) => (count === 0 ? undefined : count)
  return {
    type: 'stability',
    id: found.id,
    ...defined({ name: found.name, origin: found.origin }),
    file: found.file,
    variant: found.variant,
    runs: found.runs,
    passed: found.passed,
    failed: found.failed,
    ...defined({
      expected_failures: counted(found.expectedFailures),
      unjudged: counted(found.unjudged),
      infrastructure_errors: counted(found.infrastructureErrors),
      skipped: counted(found.skipped),
      known: found.known ? (true as const) : undefined,
      flaky: counted(found.flaky),
    }),
    pass_rate: found.passRate ?? null,
    ...defined({ pass_rate_low: interval?.low, pass_rate_high: interval?.high }),
    consistency: found.consistency ?? null,
    stable: found.stability === 'stable',
    stability: found.stability ?? null,
    ...(Object.keys(failureKinds).length > 0 && { failure_kinds: failureKinds }),
    avg_duration_ms: Math.round(durations.average),
    min_duration_ms: Math.round(durations.least),
    max_duration_ms: Math.round(durations.most),
    std_deviation_ms: Math.round(durations.deviation * 10) / 10,
    p50_duration_ms: Math.round(durations.p50),
    p95_duration_ms: Math.round(durations.p95),
    p99_duration_ms: Math.round(durations.p99),
    ...defined({ tokens: found.tokens, cost: found.cost }),
  }
}
