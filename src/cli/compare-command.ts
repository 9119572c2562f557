import { resolve } from 'node:path'
import type { Comparison } from '../analysis/compare/compare.ts'
import { comparisonJson } from '../analysis/compare/json.ts'
import { comparisonExtensions, comparisonReportFor } from '../analysis/compare/reports.ts'
import { ConfigError } from '../errors.ts'
import { keepForeignFile } from '../reporters/keep-foreign-file.ts'
import { createPen, wantsColour } from '../reporters/pen.ts'
import { writeReport } from '../reporters/report.ts'
import { harmlessInLog } from '../reporters/workflow-commands.ts'
import { compareTwo, printComparison, savedRun } from './compare-runs.ts'
import { alphaProblem } from './flags.ts'
import { checkWritable } from './outputs.ts'
import type { PrivacyFlags } from './saved-run.ts'
import type { Terminal } from './terminal.ts'

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
): Promise<number> {
  const problem = alphaProblem(alpha)
  if (problem !== undefined)
    throw new ConfigError({ code: 'bad_flag', message: `--alpha ${alpha}: ${problem}` })
  const paths = output.map((path) => resolve(path))
  for (const path of paths) checkTarget(path)
  const runs = [await savedRun(base, privacy), await savedRun(head, privacy)] as const
  const comparison = await compareTwo(...runs, Number(alpha))
  if (json) process.stdout.write(comparisonJson(comparison))
  else printComparison(comparison, stdoutTerminal())
  for (const path of paths) {
    const report = comparisonReportFor(path)
    if (report !== undefined) await writeReport({ path }, [report.render(comparison)])
  }
  return exitCodeOf(comparison)
}

function stdoutTerminal(): Pick<Terminal, 'print' | 'pen'> {
  const harmless = harmlessInLog(process.env)
  return {
    pen: createPen(wantsColour(process.stdout, process.env)),
    print: ({ text }) => void process.stdout.write(`${harmless(text)}\n`),
  }
}

/** 3 where there is no answer. */
function exitCodeOf({ verdict }: Comparison): number {
  if (verdict === 'incomplete' || verdict === 'nothing compared') return 3
  return verdict === 'regression' ? 1 : 0
}

function checkTarget(path: string): void {
  const report = comparisonReportFor(path)
  if (report === undefined) {
    const hint = `use ${comparisonExtensions.join(', ')}`
    throw new ConfigError({ code: 'bad_output', message: `-o ${path}: no format of a comparison`, hint })
  }
  keepForeignFile(path, report.isOurs)
  checkWritable(path)
}
