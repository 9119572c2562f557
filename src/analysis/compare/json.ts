import { defined } from '../../json/defined.ts'
import { renderDiff } from '../../reporters/diff.ts'
import { escapeCommandsInJson } from '../../reporters/workflow-commands.ts'
import { wilsonInterval } from '../../results/statistics/wilson.ts'
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
    ...defined({ carried_over: comparison.carriedOver, only_run_now: comparison.onlyRunNow }),
    ...(Object.keys(comparison.origins).length > 0 && { origins: comparison.origins }),
    changes: comparison.changes.map(({ base, head, kinds, p, regressed }) => ({
      ...caseName(head),
      kinds,
      regressed,
      p_worse: p,
      base: sideEntry(base),
      head: sideEntry(head),
      ...(kinds.includes('changed output') && defined({ diff: renderDiff(base.output, head.output) })),
    })),
    edited: comparison.edited.map(({ head }) => caseName(head)),
    unjudged: comparison.unjudged.map(({ head }) => caseName(head)),
    only_base: comparison.onlyBase.map(caseName),
    only_head: comparison.onlyHead.map(caseName),
  }
  return `${escapeCommandsInJson(JSON.stringify(report, null, 2))}\n`
}

function caseName({ file, id, variant }: CaseRuns): object {
  return { file, id, variant }
}

function sideEntry({ trials: { runs, passed }, flaky, durationMs, cost, failure, output }: CaseRuns): object {
  const { low, high } = wilsonInterval(passed, runs)
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
