import type { Status } from '../results/result.ts'
import type { Inked, Pen } from './pen.ts'

/** Where a person looks: a stream, and whether it can be drawn over. */
export interface Screen {
  write(text: string): void
  live: boolean
  columns: number
  /** Somebody types there: nothing may be drawn over that. */
  isBusy?(): boolean
}

export interface Progress {
  start(total: number): void
  caseStarted(): void
  caseFinished(status: Status): void
  /** It is played once more. */
  attemptFinished(): void
  /** Prints lines for good, above the live one. */
  above(lines: readonly Inked[]): void
  stop(): void
}

const redrawEveryMs = 100
const clearLine = '\r\u001b[2K'

/** The live line at the bottom of a terminal; on anything else, nothing but the lines. */
export function createProgress(screen: Screen, pen: Pen): Progress {
  let total = 0
  let running = 0
  const counts: Partial<Record<Status, number>> = {}
  let timer: NodeJS.Timeout | undefined
  let afterBlank = false

  const draw = () => {
    if (screen.isBusy?.()) return
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const parts = [
      `${done}/${total}`,
      `${counts.passed ?? 0} passed`,
      `${counts.failed ?? 0} failed`,
      `${running} running`,
    ]
    screen.write(`${clearLine}${pen.dim(parts.join(' · ').slice(0, screen.columns - 1)).text}`)
  }
  return {
    start(count) {
      total = count
      if (screen.live) timer = setInterval(draw, redrawEveryMs).unref()
    },
    caseStarted() {
      running += 1
    },
    attemptFinished() {
      running -= 1
    },
    caseFinished(status) {
      if (status !== 'not_run') running -= 1
      counts[status] = (counts[status] ?? 0) + 1
    },
    above(lines) {
      // Blocks end and begin with a blank line; between two of them one is enough.
      const kept = lines.filter((line) => {
        const repeated = afterBlank && line.text === ''
        afterBlank = line.text === ''
        return !repeated
      })
      if (kept.length === 0) return
      screen.write(`${timer ? clearLine : ''}${kept.map((line) => `${line.text}\n`).join('')}`)
    },
    stop() {
      if (timer) screen.write(clearLine)
      clearInterval(timer)
      timer = undefined
    },
  }
}
