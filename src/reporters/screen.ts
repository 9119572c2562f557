/** Where a person looks: lines that stay, and on a terminal one below them that is drawn over again and again. */
export interface Screen {
  /** Prints lines for good. */
  print(text: string): void
  /** Draws the live line, in the place of the one before; not while somebody types there. */
  draw(line: string): void
  /** Takes the live line away, before anything else is printed on the same terminal. */
  clear(): void
  /** Whether it can be drawn over. */
  live: boolean
  columns: number
}

interface ScreenOptions extends Pick<Screen, 'print' | 'live' | 'columns'> {
  /** To the stream, at once. */
  write(text: string): void
  /** Somebody types there: nothing may be drawn over that. */
  isBusy?(): boolean
}

const clearLine = '\r\u001b[2K'

export function createScreen({ write, isBusy, ...screen }: ScreenOptions): Screen {
  let drawn = false
  return {
    ...screen,
    draw(line) {
      if (isBusy?.()) return
      write(`${clearLine}${line}`)
      drawn = true
    },
    clear() {
      if (drawn) write(clearLine)
      drawn = false
    },
  }
}
