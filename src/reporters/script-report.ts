import { defined, emptyToUndefined } from '../json/defined.ts'
import { snakeKeys } from '../json/key-case.ts'
import type { CaseResult } from '../results/result.ts'
import { scriptName } from '../results/script-name.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import { missingResults } from '../results/tally.ts'
import { checkToLine } from '../results/turn-line.ts'

/** Whether a run has only script tests, which have their own form of report. */
export function isScriptRun({ scripts = [], totalCases }: RunStart): boolean {
  return scripts.length > 0 && scripts.reduce((sum, { tests }) => sum + tests, 0) === totalCases
}

/** The report without its results. */
export function scriptReportHead({ scripts = [], environment }: RunStart, summary: RunSummary): object {
  const names = scripts.map(({ file }) => scriptName(file))
  return {
    type: 'script_test',
    script: names.map(({ id }) => id).join(', '),
    script_path: names.map(({ path }) => path).join(', '),
    summary: {
      total: summary.total,
      passed: summary.passed,
      failed: summary.failed,
      skipped: summary.skipped,
      ...defined({ origin: summary.origin }),
      duration_ms: Math.round(summary.durationMs),
      ...defined({
        not_run: missingResults(summary) || undefined,
        infrastructure_errors: summary.infrastructureErrors || undefined,
        unchecked: summary.unchecked || undefined,
        flaky: summary.flaky || undefined,
        carried_over: summary.carriedOver,
      }),
    },
    environment: snakeKeys(environment),
  }
}

/** One test. `several` says that the run has tests of several files. */
export function scriptReportEntry(result: CaseResult, several: boolean): object {
  const { key, status, failure, finals, script, logs } = result
  const [first] = finals
  return defined({
    name: key.id,
    script: several ? scriptName(key.file).id : undefined,
    run: key.run > 1 ? key.run : undefined,
    status,
    duration_ms: Math.round(result.durationMs),
    error: status === 'failed' ? failure?.message : undefined,
    skip_reason: status === 'skipped' ? failure?.message : undefined,
    assertion: first && assertionEntry(first),
    assertions: finals.length > 1 ? finals.map(assertionEntry) : undefined,
    fault: result.fault === 'agent' ? undefined : result.fault,
    subtests: emptyToUndefined(
      (script?.subtests ?? []).map(({ name, status: outcome, durationMs, reason }) => ({
        name,
        status: outcome,
        duration_ms: Math.round(durationMs),
        ...defined({ error: reason }),
      })),
    ),
    flaky: result.flaky,
    origin: result.origin,
    unchecked: result.unchecked || undefined,
    logs,
  })
}

function assertionEntry(check: CaseResult['finals'][number]): object {
  const { type, expected, actual, message, at, reason } = checkToLine(check)
  const why = type === 'Agent' && message !== undefined ? reason : undefined
  return defined({ type, expected, actual, message: message ?? reason, reason: why, at })
}
