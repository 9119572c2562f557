/** Lines that stay, and on a terminal one live line below them that is redrawn. */
export interface Screen {
  /** Prints lines that stay. */
  print(text: string): void
  /** Draws the live line in place of the previous one, but not while someone is typing there. */
  draw(line: string): void
  /** Removes the live line, before anything else is printed on the same terminal. */
  clear(): void
  /** Whether the screen has a live line. */
  live: boolean
  columns: number
  /** Calls back when the live line is to be redrawn or, where there is none, when a line is to be printed instead. */
  repeat(show: () => void): void
  /** Ends what `repeat` has started, and removes the live line. */
  stop(): void
}

interface ScreenOptions extends Pick<Screen, 'print' | 'live' | 'columns'> {
  /** Writes to the stream immediately. */
  write(text: string): void
  /** Whether someone is typing there, so that nothing may be drawn. */
  isBusy?(): boolean
  /** How often a line is printed where there is no live line. */
  logEveryMs?: number
}

const clearLine = '\r\u001b[2K'
const redrawEveryMs = 100
/** Often enough for those who follow a log, and for CI systems that end jobs which print nothing. */
const standardLogEveryMs = 30_000

export function createScreen({
  write,
  isBusy,
  logEveryMs = standardLogEveryMs,
  ...screen
}: ScreenOptions): Screen {
  let drawn = false
  let timer: NodeJS.Timeout | undefined
  const clear = () => {
    if (drawn) write(clearLine)
    drawn = false
  }
  return {
    ...screen,
    draw(line) {
      if (isBusy?.()) return
      write(`${clearLine}${line}`)
      drawn = true
    },
    clear,
    repeat(show) {
      clearInterval(timer)
      timer = setInterval(show, screen.live ? redrawEveryMs : logEveryMs).unref()
    },
    stop() {
      clearInterval(timer)
      clear()
    },
  }
}
