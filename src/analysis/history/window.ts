const size = 20

/** The newest of them, which say how a case is doing. */
export function lastLines<T>(lines: readonly T[]): T[] {
  return lines.slice(-size)
}
