import { isFlaky } from './flaky.ts'
import type { HistoryLine } from './line.ts'
import { type HistoryOutcome, historyOutcome, linePassRate } from './outcome.ts'
import type { CaseHistory, History } from './read.ts'
import { lastLines } from './window.ts'

/** The recent results of a case. Lists are of its last runs, oldest first; `null` means unknown. */
export interface CaseOverview extends Pick<CaseHistory, 'file' | 'id' | 'variant'> {
  last: HistoryOutcome
  last_time: string
  flaky: boolean
  pass_rates: (number | null)[]
  durations_ms: number[]
  costs: (number | null)[]
}

/** One run of viva in the history of a case. */
export interface RunOverview extends HistoryLine {
  outcome: HistoryOutcome
  /** Percent of what could be judged. */
  pass_rate: number | null
  /** Whether the case was edited later, as far as the history knows. */
  changed_since: boolean
}

/** All cases, the most recently run first. */
export function summarizeCases({ cases }: History): CaseOverview[] {
  return [...cases.values()]
    .sort((left, right) => newestFirst(left.newest, right.newest))
    .map(({ file, id, variant, lines, newest }) => {
      const last = lastLines(lines)
      return {
        file,
        id,
        variant,
        last: historyOutcome(newest),
        last_time: newest.time,
        flaky: isFlaky(last),
        pass_rates: last.map((line) => linePassRate(line) ?? null),
        durations_ms: last.map((line) => line.duration_ms),
        costs: last.map(({ cost = null }) => cost),
      }
    })
}

/** The runs of all cases with that id, in any file and with any variant, newest first. */
export function listRuns({ cases }: History, id: string): RunOverview[] {
  const found = [...cases.values()].filter((each) => each.id === id)
  const hashes = new Map<string, HistoryLine>()
  for (const { file, newest } of found) {
    const known = hashes.get(file)
    if (known === undefined || known.time < newest.time) hashes.set(file, newest)
  }
  return found
    .flatMap(({ lines }) => lines)
    .sort(newestFirst)
    .map((line) => ({
      ...line,
      outcome: historyOutcome(line),
      pass_rate: linePassRate(line) ?? null,
      changed_since: hashes.get(line.file)?.case_hash !== line.case_hash,
    }))
}

function newestFirst(left: HistoryLine, right: HistoryLine): number {
  if (left.time === right.time) return 0
  return left.time < right.time ? 1 : -1
}
