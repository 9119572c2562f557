import { parseJson } from '../json.ts'
import { scanJson } from '../scan-json.ts'

interface Changes {
  /** Of every object and list in the text. */
  data(value: unknown): unknown
  /** Of what stands around them. */
  text(rest: string): string
}

/** A text with the JSON in it changed. What is not changed stays as it was written. */
export function mapJsonIn(text: string, { data, text: around }: Changes): string {
  const pieces: string[] = []
  let done = 0
  // Every bracket may start a scan to the end of a hostile text; the budget keeps the sum linear.
  let budget = 4 * text.length + 10_000
  const bracket = /[[{]/g
  for (let found = bracket.exec(text); found !== null && budget > 0; found = bracket.exec(text)) {
    const start = found.index
    const { end, reached } = scanJson(text, start)
    budget -= reached - start + 1
    const written = end === undefined ? '' : text.slice(start, end)
    const value = written === '' ? undefined : parseJson(written)
    if (end === undefined || value === undefined) continue
    const changed = data(value)
    pieces.push(around(text.slice(done, start)), changed === value ? written : rewritten(changed, written))
    done = end
    bracket.lastIndex = end
  }
  return [...pieces, around(text.slice(done))].join('')
}

function rewritten(value: unknown, before: string): string {
  return JSON.stringify(value, null, before.includes('\n') ? 2 : undefined)
}
