import { parseJson } from './json.ts'
import { scanJson } from './scan-json.ts'

export interface JsonSpan {
  start: number
  end: number
  value: unknown
}

/**
 * The objects and lists in a text, one after the other. What follows the opening of an unfinished one are its parts: they
 * are given where `inTorn` says so, else nothing more is.
 */
export function* jsonSpans(text: string, { inTorn }: { inTorn: boolean }): Generator<JsonSpan> {
  // Every bracket may start a scan to the end of a hostile text; the budget keeps the sum linear.
  let budget = 4 * text.length + 10_000
  const bracket = /[[{]/g
  for (let found = bracket.exec(text); found !== null && budget > 0; found = bracket.exec(text)) {
    const start = found.index
    const { end, reached, truncated } = scanJson(text, start)
    if (truncated && !inTorn) return
    budget -= reached - start + 1
    const value = end === undefined ? undefined : parseJson(text.slice(start, end))
    if (end === undefined || value === undefined) continue
    yield { start, end, value }
    bracket.lastIndex = end
  }
}
