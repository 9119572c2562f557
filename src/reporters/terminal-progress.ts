import { isSameKey, type Key } from '../results/key.ts'
import type { CaseResult, Status } from '../results/result.ts'
import { addUsages, type UsageByRole } from '../results/usage.ts'
import { pluralize } from '../text/counted.ts'
import { shortDuration } from '../text/duration.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'
import { paceText, ResultPace, timeLeftText } from './result-pace.ts'
import type { Screen } from './screen.ts'
import { spentText } from './spent-text.ts'

/** How much there is to do. */
export interface ProgressStart {
  total: number
  /** Not all of the total may have to run. */
  atMost?: boolean
  /** Results that were there already. */
  finished?: number
  /** Names the running cases. */
  titleOf?(key: Key): string
}

/** The workers that play the cases of a run. */
export interface WorkerCounts {
  workers: number
  /** How many jobs they can play at once. */
  slots: number
  playing: number
}

export interface Progress {
  start(start: ProgressStart): void
  caseStarted(key: Key): void
  caseFinished(result: Pick<CaseResult, 'key' | 'status' | 'usage'>): void
  /** With workers: how many there are, and what they do. */
  workersChanged(load: WorkerCounts): void
  /** The case is retried. */
  attemptFinished(result: Pick<CaseResult, 'key' | 'usage'>): void
  /** Prints lines that stay, above the live one. */
  above(lines: readonly Inked[]): void
  stop(): void
}

/** How many of the running cases are named: those that have been running longest. */
const mostNamed = 3

/** The live line at the bottom of a terminal; elsewhere a line from time to time, among those that stay. */
export function createProgress(screen: Screen, pen: Pen): Progress {
  const state: ProgressState = {
    started: { total: 0 },
    pace: new ResultPace(performance.now()),
    spent: {},
    running: [],
    counts: {},
  }
  let afterBlank = false

  const show = () => {
    const line = progressLine(state, performance.now())
    if (screen.live) screen.draw(pen.dim(fitColumns(line, screen.columns - 1)).text)
    else screen.print(`${pen.dim(`  ${line}`).text}\n`)
  }
  const attemptFinished: Progress['attemptFinished'] = ({ key, usage }) => {
    const index = state.running.findIndex((each) => isSameKey(each.key, key))
    if (index >= 0) state.running.splice(index, 1)
    state.spent = addUsages(state.spent, usage)
  }
  return {
    start(started) {
      state.started = started
      state.pace = new ResultPace(performance.now())
      screen.repeat(show)
    },
    caseStarted(key) {
      state.running.push({ key, since: performance.now() })
    },
    workersChanged(load) {
      state.workers = load
    },
    attemptFinished,
    caseFinished(result) {
      attemptFinished(result)
      const { status } = result
      state.counts[status] = (state.counts[status] ?? 0) + 1
      // Cases that are not run end at once, and would make the others look fast.
      if (status !== 'not_run') state.pace.add(performance.now())
    },
    above(lines) {
      // Blocks start and end with a blank line; one between two blocks is enough.
      let kept = ''
      for (const { text } of lines) {
        if (!afterBlank || text !== '') kept += `${text}\n`
        afterBlank = text === ''
      }
      if (kept !== '') screen.print(kept)
    },
    stop: () => screen.stop(),
  }
}

type StatusCounts = Partial<Record<Status, number>>

interface ProgressState {
  started: ProgressStart
  pace: ResultPace
  spent: UsageByRole
  /** In the order in which they started: the slowest is first. */
  running: { key: Key; since: number }[]
  counts: StatusCounts
  workers?: WorkerCounts
}

/** `12/40 · 11 passed · 1 failed · 1.5/s · about 20s left · $0.12 · 4 running: refund 12s, …` */
function progressLine(
  { started, pace, spent, running, counts, workers }: ProgressState,
  now: number,
): string {
  const { titleOf = ({ id }: Key) => id } = started
  const slowest = running
    .slice(0, mostNamed)
    .map(({ key, since }) => `${oneLine(titleOf(key), 40)}${elapsedText(now - since)}`)
  const names = slowest.length === 0 ? '' : `: ${slowest.join(', ')}`
  const parts = [
    ...countTexts(counts, started),
    ...paceTexts(pace.perSecond(now, running.length), leftOf(counts, started), started.atMost),
    ...[spentText(spent)].filter((text) => text !== undefined),
    ...(workers === undefined ? [] : [workersText(workers)]),
    // Last, because a narrow terminal cuts it off.
    `${running.length} running${names}`,
  ]
  return parts.join(' · ')
}

/** `4 workers (75% busy)` */
function workersText({ workers, slots, playing }: WorkerCounts): string {
  if (workers === 0) return 'no workers'
  const busy = Math.min(100, Math.round((playing / Math.max(1, slots)) * 100))
  return `${pluralize(workers, 'worker')} (${busy}% busy)`
}

function doneOf(counts: StatusCounts, { finished = 0 }: ProgressStart): number {
  return Object.values(counts).reduce((sum, count) => sum + count, finished)
}

function leftOf(counts: StatusCounts, start: ProgressStart): number {
  return Math.max(0, start.total - doneOf(counts, start))
}

/** `12/40`, `11 passed`, `1 failed` */
function countTexts(counts: StatusCounts, start: ProgressStart): string[] {
  const { total, atMost } = start
  return [
    `${doneOf(counts, start)}/${total}${atMost ? ' at most' : ''}`,
    `${counts.passed ?? 0} passed`,
    `${counts.failed ?? 0} failed`,
  ]
}

/** Nothing while the rate is not known; then also how long the rest will take. */
function paceTexts(perSecond: number | undefined, left: number, atMost: boolean | undefined): string[] {
  if (perSecond === undefined) return []
  return left === 0 ? [paceText(perSecond)] : [paceText(perSecond), timeLeftText(left, perSecond, atMost)]
}

/** In whole seconds, because tenths would flicker. */
function elapsedText(ms: number): string {
  return ms < 1000 ? '' : ` ${shortDuration(Math.floor(ms / 1000) * 1000)}`
}

/** A line that wraps cannot be redrawn. Characters that may be two columns wide are counted as two. */
function fitColumns(text: string, columns: number): string {
  let left = columns
  let shown = ''
  for (const character of text) {
    left -= character < '\u1100' ? 1 : 2
    if (left < 0) break
    shown += character
  }
  return shown
}
