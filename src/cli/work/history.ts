import { listRuns, summarizeCases } from '../../analysis/history/overview.ts'
import { type History, historyPath, readHistory } from '../../analysis/history/read.ts'
import { ConfigError } from '../../errors.ts'
import { findRoot } from '../../project/project.ts'
import { createPen, type Inked, type Pen, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { createLogEscape, escapeCommandsInJson } from '../../reporters/workflow-commands.ts'
import { warnOfUnreadable } from '../../setup/phases/history.ts'
import type { Shell } from '../../system/shell.ts'
import { nearestWords } from '../../text/nearest.ts'
import { caseLines, runLines } from '../history-table.ts'
import { printWarning } from '../print-error.ts'

export interface HistoryFlags {
  json?: boolean
  limit?: string
}

const mostCases = 50
const mostRuns = 20
const mostGuesses = 3

/** `viva history [case]`: how cases did from run to run. */
export async function historyCommand(
  id: string | undefined,
  given: HistoryFlags,
  shell: Shell,
): Promise<number> {
  const limit = readLimit(given.limit)
  const root = findRoot(shell.cwd)
  const history = await readHistory(historyPath(root))
  warnOfUnreadable(history, '.viva/history.jsonl', (text) => printWarning(shell, text))
  if (history === undefined || history.cases.size === 0) throw noHistory()
  if (id === undefined) printCases(history, given, limit, shell)
  else printRuns(history, id, given, limit, shell)
  return 0
}

/** Without a limit JSON has all of it: who reads it can count. */
function printCases(history: History, { json }: HistoryFlags, limit: number | undefined, shell: Shell): void {
  const all = summarizeCases(history)
  const shown = all.slice(0, limit ?? (json ? undefined : mostCases))
  if (json) printJson({ cases: shown }, shell)
  else print(caseLines(shown, stdoutPen(shell)), all.length - shown.length, shell)
}

function printRuns(
  history: History,
  id: string,
  { json }: HistoryFlags,
  limit: number | undefined,
  shell: Shell,
): void {
  const all = listRuns(history, id)
  if (all.length === 0) throw unknownCase(id, history)
  const shown = all.slice(0, limit ?? (json ? undefined : mostRuns))
  if (json) printJson({ id, runs: shown }, shell)
  else print(runLines(shown, stdoutPen(shell)), all.length - shown.length, shell)
}

function stdoutPen({ stdout, env }: Shell): Pen {
  return createPen(wantsColour(stdout, env))
}

function print(lines: readonly Inked[], left: number, { stdout, env }: Shell): void {
  const rest = left > 0 ? `  … and ${left} more (--limit)\n` : ''
  stdout.write(createLogEscape(env)(lines.map(({ text }) => `${text}\n`).join('') + rest))
}

function printJson(value: object, { stdout }: Shell): void {
  stdout.write(`${escapeCommandsInJson(JSON.stringify(value, null, 2))}\n`)
}

function readLimit(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,9}$/.test(given) && Number(given) > 0) return Number(given)
  throw new ConfigError({ code: 'bad_flag', message: `--limit ${given}: must be a whole number from 1` })
}

function noHistory(): ConfigError {
  return new ConfigError({
    code: 'no_history',
    message: 'there is no history of runs here yet',
    hint: 'viva test on a file of cases begins one, in the folder of its project',
  })
}

function unknownCase(id: string, { cases }: History): ConfigError {
  const known = new Set([...cases.values()].map((each) => each.id))
  const guesses = nearestWords(id, known)
    .slice(0, mostGuesses)
    .map((guess) => oneLine(guess))
  return new ConfigError({
    code: 'unknown_case',
    message: `no case "${oneLine(id)}" in the history`,
    hint: guesses.length === 0 ? '`viva history` lists them' : `did you mean ${guesses.join(', ')}?`,
  })
}
