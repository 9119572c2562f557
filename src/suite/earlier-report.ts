import { ConfigError } from '../errors.ts'
import type { CaseResult } from '../results/result.ts'
import { type EarlierRun, savedEarlierRun } from '../setup/saved/baseline.ts'
import type { ComparedRun } from '../setup/saved/compare-runs.ts'
import type { AnyReport } from './report.ts'
import { suiteOptionNames } from './run-options.ts'

interface KeptRun extends Pick<ComparedRun, 'start' | 'missing'> {
  results: readonly CaseResult[]
}

/** What reports were made from, as long as somebody has them. */
const kept = new WeakMap<AnyReport, KeptRun>()

export function keepForBaseline(report: AnyReport, run: KeptRun): void {
  kept.set(report, run)
}

/** All that is compared of a result. */
export function comparedPart(result: CaseResult): CaseResult {
  return { ...result, view: { history: [], turns: result.view.turns.slice(-1) }, logs: [] }
}

/** The run that `baseline` names. */
export function earlierRun(baseline: string | AnyReport, warn: (text: string) => void): EarlierRun {
  if (typeof baseline === 'string')
    return savedEarlierRun(baseline, suiteOptionNames.baseline, { shell: { cwd: process.cwd() }, warn })
  const run = kept.get(baseline)
  if (run === undefined)
    throw new ConfigError({
      code: 'bad_baseline',
      message:
        'run: baseline must be a file of results, or a report that `run` has returned with its results',
      hint: 'a report that was read from a file, or is of a run with `keepResults: false`, has no results',
    })
  return {
    shown: 'an earlier report',
    option: suiteOptionNames.baseline,
    read: async () => ({ ...run, results: iterate(run.results) }),
  }
}

async function* iterate(results: readonly CaseResult[]): AsyncGenerator<CaseResult> {
  yield* results
}
