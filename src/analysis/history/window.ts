const size = 20

/** The newest lines, by which a case is judged. */
export function lastLines<T>(lines: readonly T[]): T[] {
  return lines.slice(-size)
}
