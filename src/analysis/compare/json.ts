import { defined } from '../../json/defined.ts'
import { renderDiff } from '../../reporters/diff.ts'
import { withoutCommandsInJson } from '../../reporters/workflow-commands.ts'
import { wilson } from '../../results/statistics/wilson.ts'
import type { CaseRuns } from './case-runs.ts'
import type { Comparison } from './compare.ts'
import { verdictText } from './words.ts'

export const jsonHead = '{\n  "type": "comparison",\n'

export function comparisonJson(comparison: Comparison): string {
  const { difference, test } = comparison
  const report = {
    type: 'comparison',
    verdict: comparison.verdict,
    text: verdictText(comparison),
    alpha: comparison.alpha,
    ...defined({ runs_needed: comparison.runsNeeded }),
    compared: comparison.compared,
    method: comparison.method,
    p: test.twoSided,
    p_worse: test.worse,
    p_better: test.better,
    base_rate: comparison.baseRate ?? null,
    head_rate: comparison.headRate ?? null,
    difference: difference
      ? { value: difference.difference, low: difference.low, high: difference.high }
      : null,
    missing: comparison.missing,
    changes: comparison.changes.map(({ base, head, kinds, p, regressed }) => ({
      ...named(head),
      kinds,
      regressed,
      p_worse: p,
      base: side(base),
      head: side(head),
      ...(kinds.includes('changed output') && defined({ diff: renderDiff(base.output, head.output) })),
    })),
    edited: comparison.edited.map(({ head }) => named(head)),
    unjudged: comparison.unjudged.map(({ head }) => named(head)),
    only_base: comparison.onlyBase.map(named),
    only_head: comparison.onlyHead.map(named),
  }
  return `${withoutCommandsInJson(JSON.stringify(report, null, 2))}\n`
}

function named({ file, id, variant }: CaseRuns): object {
  return { file, id, variant }
}

function side({ trials: { runs, passed }, flaky, durationMs, cost, failure, output }: CaseRuns): object {
  const { low, high } = wilson(passed, runs)
  return {
    runs,
    passed,
    pass_rate_low: low,
    pass_rate_high: high,
    flaky,
    duration_ms: Math.round(durationMs),
    ...defined({ cost, failure, output }),
  }
}
