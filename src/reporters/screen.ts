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
}

interface ScreenOptions extends Pick<Screen, 'print' | 'live' | 'columns'> {
  /** Writes to the stream immediately. */
  write(text: string): void
  /** Whether someone is typing there, so that nothing may be drawn. */
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
