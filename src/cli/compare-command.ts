import { resolve } from 'node:path'
import type { CaseEntry } from '../cases/entry.ts'
import { gatherRuns } from '../compare/case-runs.ts'
import { type Comparison, compareRuns } from '../compare/compare.ts'
import { comparisonJson } from '../compare/json.ts'
import { comparisonExtensions, comparisonReportFor } from '../compare/reports.ts'
import { comparisonLines } from '../compare/terminal.ts'
import { verdictText } from '../compare/words.ts'
import { defined } from '../defined.ts'
import { ConfigError } from '../errors.ts'
import { keepForeignFile } from '../reporters/keep-foreign-file.ts'
import { createPen, wantsColour } from '../reporters/pen.ts'
import { writeReport } from '../reporters/report.ts'
import { withoutCommands } from '../reporters/workflow-commands.ts'
import type { Gates } from '../results/gates.ts'
import type { CaseResult } from '../results/result.ts'
import type { ComparisonSummary, RunStart } from '../results/summary.ts'
import type { Redact } from '../scope/redact.ts'
import { leastRuns } from '../statistics/sequential.ts'
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
  const harmless = process.env.GITHUB_ACTIONS === 'true' ? withoutCommands : (text: string) => text
  return {
    pen: createPen(wantsColour(process.stdout, process.env)),
    print: ({ text }) => void process.stdout.write(`${harmless(text)}\n`),
  }
}

/** A run that is over, or about to be. */
interface ComparedRun {
  start: Pick<RunStart, 'gates'>
  missing: number
  results: AsyncIterable<CaseResult>
}

async function savedRun(file: string, privacy: PrivacyFlags): Promise<ComparedRun> {
  const { start, summary, results } = await openSavedRun(file, privacy)
  return { start, missing: summary.notRun + summary.interrupted, results: results() }
}

async function compareTwo(base: ComparedRun, head: ComparedRun, alpha: number): Promise<Comparison> {
  const onlyFirst = runsThatAreAlwaysPlayed([base.start, head.start])
  const [before, after] = [
    await gatherRuns(base.results, onlyFirst),
    await gatherRuns(head.results, onlyFirst),
  ]
  const sides = {
    base: { cases: before, missing: base.missing },
    head: { cases: after, missing: head.missing },
  }
  return { ...compareRuns(sides.base, sides.head, alpha), ...defined({ onlyFirst }) }
}

/** With `--runs auto`, how many runs there are depends on how they ended, but for the first ones. */
function runsThatAreAlwaysPlayed(starts: readonly Pick<RunStart, 'gates'>[]): number | undefined {
  const least = starts.flatMap(({ gates: { case: gate, confidence } = {} }) =>
    gate === undefined || confidence === undefined ? [] : Object.values(leastRuns({ gate, confidence })),
  )
  return least.length === 0 ? undefined : Math.min(...least)
}

/** Compares a run with its baseline before it says how it ended, and has something to print when it has. */
export function createBaseline(
  file: string,
  alpha: number,
  privacy: PrivacyFlags,
  gates: Gates | undefined,
  hide: () => Redact,
) {
  let comparison: Comparison | undefined
  return {
    /** Refuses what could never be compared, before anything is played. */
    async check(entries: readonly CaseEntry[]): Promise<void> {
      const known = new Set<string>()
      for await (const { key } of (await savedRun(file, {})).results)
        known.add(JSON.stringify([key.file, key.id]))
      if (entries.some(({ file: own, id }) => known.has(JSON.stringify([own, hide()(id)])))) return
      const message = `--baseline ${file} has no case in common with this run`
      throw new ConfigError({
        code: 'nothing_in_common',
        message,
        hint: 'compare runs of the same case files',
      })
    },
    async compare(results: AsyncIterable<CaseResult>, missing: number): Promise<ComparisonSummary> {
      const head = { start: defined({ gates }), missing, results }
      comparison = hide()(await compareTwo(await savedRun(file, privacy), head, alpha))
      return { baseline: file, verdict: comparison.verdict, text: verdictText(comparison) }
    },
    print(terminal: Pick<Terminal, 'print' | 'pen'>): void {
      if (comparison) printComparison(comparison, terminal)
    },
  }
}

function printComparison(comparison: Comparison, { print, pen }: Pick<Terminal, 'print' | 'pen'>): void {
  for (const line of comparisonLines(comparison, pen)) print(line)
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
