import { resolve } from 'node:path'
import { gatherRuns } from '../compare/case-runs.ts'
import { type Comparison, compareRuns } from '../compare/compare.ts'
import { comparisonJson } from '../compare/json.ts'
import { comparisonExtensions, comparisonReportFor } from '../compare/reports.ts'
import { comparisonLines } from '../compare/terminal.ts'
import { ConfigError } from '../errors.ts'
import { keepForeignFile } from '../reporters/keep-foreign-file.ts'
import { createPen, wantsColour } from '../reporters/pen.ts'
import { writeReport } from '../reporters/report.ts'
import { withoutCommands } from '../reporters/workflow-commands.ts'
import { alphaProblem } from './flags.ts'
import { checkWritable } from './outputs.ts'
import { openSavedRun, type PrivacyFlags } from './saved-run.ts'
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
  const comparison = await compareFiles(base, head, Number(alpha), privacy)
  if (json) process.stdout.write(comparisonJson(comparison))
  else printComparison(comparison, stdoutTerminal())
  for (const path of paths) {
    const report = comparisonReportFor(path)
    if (report !== undefined) await writeReport({ path }, [report.render(comparison)])
  }
  return exitCodeOf(comparison)
}

function stdoutTerminal(): Pick<Terminal, 'print' | 'pen'> {
  const harmless = process.env.GITHUB_ACTIONS === 'true' ? withoutCommands : (text: string) => text
  return {
    pen: createPen(wantsColour(process.stdout, process.env)),
    print: ({ text }) => void process.stdout.write(`${harmless(text)}\n`),
  }
}

export async function compareFiles(
  base: string,
  head: string,
  alpha: number,
  privacy: PrivacyFlags,
): Promise<Comparison> {
  const [before, after] = [await openSavedRun(base, privacy), await openSavedRun(head, privacy)]
  return compareRuns(await gatherRuns(before.results()), await gatherRuns(after.results()), alpha)
}

export function printComparison(
  comparison: Comparison,
  { print, pen }: Pick<Terminal, 'print' | 'pen'>,
): void {
  for (const line of comparisonLines(comparison, pen)) print(line)
}

/** 3 where nothing could be compared: that is no answer. */
function exitCodeOf({ verdict, compared }: Comparison): number {
  if (compared === 0) return 3
  return verdict === 'regression' ? 1 : 0
}

/** Of a run with a baseline: one that is worse has failed, whatever else holds; one that cannot be compared is not green. */
export function withComparison(exitCode: number, comparison: Comparison | undefined): number {
  const own = comparison === undefined ? 0 : exitCodeOf(comparison)
  return own === 1 || exitCode === 0 ? own : exitCode
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
