import type { CaseStability } from '../results/case-stability.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart, RunSummary } from '../results/summary.ts'
import type { Inked, Pen } from './pen.ts'
import { isScriptRun } from './script-report.ts'
import { createVariantTable } from './terminal-compare.ts'
import { scriptSummary } from './terminal-script.ts'
import { stabilityLines } from './terminal-stability.ts'
import { demandLines, summaryLines } from './terminal-summary.ts'

/** The lines after the last case: the summary, how stable the cases are, and how the variants compare. */
export function createTerminalEnd(pen: Pen): {
  on(event: RunEvent): void
  lines(summary: RunSummary): Inked[]
} {
  const compared = createVariantTable()
  const cases: CaseStability[] = []
  let started: RunStart | undefined
  return {
    on(event) {
      if (event.type === 'run_started') started = event.start
      if (event.type === 'case_stability') cases.push(event.stability)
      if (event.type !== 'case_finished' || !hasVariants(started)) return
      const { result } = event
      if (!result.retrying && result.script === undefined) compared.add(result)
    },
    lines(summary) {
      const stability = stabilityLines(cases, started, pen)
      return started && isScriptRun(started)
        ? [...scriptSummary(summary, pen, started), ...demandLines(summary, pen), ...stability]
        : [...summaryLines(summary, pen, started), ...stability, ...compared.lines(summary, pen)]
    },
  }
}

export function hasVariants(run: RunStart | undefined): boolean {
  return run !== undefined && run.variants.length > 1
}
