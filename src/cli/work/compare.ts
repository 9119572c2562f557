import { resolve } from 'node:path'
import type { Comparison } from '../../analysis/compare/compare.ts'
import { comparisonJson } from '../../analysis/compare/json.ts'
import { comparisonExtensions, comparisonReportFor } from '../../analysis/compare/reports.ts'
import { comparisonLines } from '../../analysis/compare/terminal.ts'
import { ConfigError } from '../../errors.ts'
import { refuseForeignFile } from '../../reporters/keep-foreign-file.ts'
import { createPen, wantsColour } from '../../reporters/pen.ts'
import { writeReport } from '../../reporters/report.ts'
import { createLogEscape } from '../../reporters/workflow-commands.ts'
import { checkWritable } from '../../setup/outputs/targets.ts'
import { compareTwo, savedRun } from '../../setup/saved/compare-runs.ts'
import type { PrivacyFlags } from '../../setup/saved/saved-run.ts'
import type { Shell } from '../../system/shell.ts'
import { alphaProblem } from '../flag-values.ts'
import { printWarning } from '../print-error.ts'

export interface CompareFlags extends PrivacyFlags {
  alpha?: string
  output?: string[]
  json?: boolean
}

/** `viva compare base.jsonl head.jsonl`: has it become worse? Exit 1 where the data say so. */
export async function compareCommand(
  base: string,
  head: string,
  { alpha = '0.05', output = [], json = false, ...privacy }: CompareFlags,
  shell: Shell,
): Promise<number> {
  const problem = alphaProblem(alpha)
  if (problem !== undefined)
    throw new ConfigError({ code: 'bad_flag', message: `--alpha ${alpha}: ${problem}` })
  const paths = output.map((path) => resolve(shell.cwd, path))
  for (const path of paths) checkTarget(path)
  const needs = { shell, warn: (text: string) => printWarning(shell, text) }
  const runs = [await savedRun(base, privacy, needs), await savedRun(head, privacy, needs)] as const
  const comparison = await compareTwo(...runs, Number(alpha))
  if (json) shell.stdout.write(comparisonJson(comparison))
  else printComparison(comparison, shell)
  for (const path of paths) {
    const report = comparisonReportFor(path)
    if (report !== undefined) await writeReport({ path }, [report.render(comparison)])
  }
  return comparisonExitCode(comparison)
}

function printComparison(comparison: Comparison, { stdout, env }: Shell): void {
  const harmless = createLogEscape(env)
  for (const { text } of comparisonLines(comparison, createPen(wantsColour(stdout, env))))
    stdout.write(`${harmless(text)}\n`)
}

/** 3 where there is no answer. */
function comparisonExitCode({ verdict }: Comparison): number {
  if (verdict === 'incomplete' || verdict === 'nothing compared') return 3
  return verdict === 'regression' ? 1 : 0
}

function checkTarget(path: string): void {
  const report = comparisonReportFor(path)
  if (report === undefined) {
    const hint = `use ${comparisonExtensions.join(', ')}`
    throw new ConfigError({ code: 'bad_output', message: `-o ${path}: no format of a comparison`, hint })
  }
  refuseForeignFile(path, report.isOurs)
  checkWritable(path)
}
