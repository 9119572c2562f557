import { jsonSpans } from '../../json/json-spans.ts'

interface Changes {
  /** Called for every object and list in the text. */
  data(value: unknown): unknown
  /** Called for the text around them. */
  text(rest: string): string
}

/** Changes the JSON in a text. JSON that `data` leaves alone stays as it was written. */
export function mapJsonInText(text: string, { data, text: around }: Changes): string {
  const pieces: string[] = []
  let done = 0
  for (const { start, end, value } of jsonSpans(text, { inTorn: true })) {
    const written = text.slice(start, end)
    const changed = data(value)
    pieces.push(around(text.slice(done, start)), changed === value ? written : formatLike(written, changed))
    done = end
  }
  return [...pieces, around(text.slice(done))].join('')
}

function formatLike(before: string, value: unknown): string {
  return JSON.stringify(value, null, before.includes('\n') ? 2 : undefined)
}
