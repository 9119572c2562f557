import { isSameKey, type Key } from '../results/key.ts'
import type { Status } from '../results/result.ts'
import { shortDuration } from '../text/duration.ts'
import type { Inked, Pen } from './pen.ts'
import { oneLine } from './printable.ts'
import type { Screen } from './screen.ts'

export interface Progress {
  /** `titleOf` names the running cases. */
  start(total: number, titleOf?: (key: Key) => string): void
  caseStarted(key: Key): void
  caseFinished(key: Key, status: Status): void
  /** The case is retried. */
  attemptFinished(key: Key): void
  /** Prints lines that stay, above the live one. */
  above(lines: readonly Inked[]): void
  stop(): void
}

const redrawEveryMs = 100
/** How many of the running cases are named: those that have been running longest. */
const mostNamed = 3

/** The live line at the bottom of a terminal; elsewhere only the lines that stay are printed. */
export function createProgress(screen: Screen, pen: Pen): Progress {
  let total = 0
  let titleOf = ({ id }: Key) => id
  /** In the order in which they started: the slowest is first. */
  const running: { key: Key; since: number }[] = []
  const remove = (key: Key) => {
    const index = running.findIndex((each) => isSameKey(each.key, key))
    if (index >= 0) running.splice(index, 1)
  }
  const counts: Partial<Record<Status, number>> = {}
  let timer: NodeJS.Timeout | undefined
  let afterBlank = false

  const draw = () => {
    const slowest = running
      .slice(0, mostNamed)
      .map(({ key, since }) => `${oneLine(titleOf(key), 40)}${elapsedText(performance.now() - since)}`)
    const names = slowest.length === 0 ? '' : `: ${slowest.join(', ')}`
    const line = `${countsLine(counts, total)} · ${running.length} running${names}`
    screen.draw(pen.dim(fitColumns(line, screen.columns - 1)).text)
  }
  return {
    start(count, named = titleOf) {
      total = count
      titleOf = named
      if (screen.live) timer = setInterval(draw, redrawEveryMs).unref()
    },
    caseStarted(key) {
      running.push({ key, since: performance.now() })
    },
    attemptFinished: remove,
    caseFinished(key, status) {
      remove(key)
      counts[status] = (counts[status] ?? 0) + 1
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
    stop() {
      clearInterval(timer)
      screen.clear()
    },
  }
}

function countsLine(counts: Partial<Record<Status, number>>, total: number): string {
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `${done}/${total} · ${counts.passed ?? 0} passed · ${counts.failed ?? 0} failed`
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
