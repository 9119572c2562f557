import { jsonSpans } from '../json/json-spans.ts'

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
  for (const { start, end, value } of jsonSpans(text, { inTorn: true })) {
    const written = text.slice(start, end)
    const changed = data(value)
    pieces.push(around(text.slice(done, start)), changed === value ? written : rewritten(changed, written))
    done = end
  }
  return [...pieces, around(text.slice(done))].join('')
}

function rewritten(value: unknown, before: string): string {
  return JSON.stringify(value, null, before.includes('\n') ? 2 : undefined)
}
