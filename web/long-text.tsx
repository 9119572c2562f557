import { useState } from 'preact/hooks'
import { printable } from '../src/reporters/printable.ts'
import { cutText } from '../src/text/shorten.ts'

const folded = 4000
/** More at once would block the page. */
const step = 100_000

/** A plain text with its line breaks. Long texts are opened in steps. */
export function LongText({ text }: { text: string }) {
  const [limit, setLimit] = useState(folded)
  if (text.length <= limit) return <>{printable(text)}</>
  const next = limit === folded ? step : limit + step
  return (
    <>
      {printable(cutText(text, limit))}…{' '}
      <button type="button" class="more" onClick={() => setLimit(next)}>
        {text.length <= next ? `show all (${formatSize(text)})` : `show more (of ${formatSize(text)})`}
      </button>
    </>
  )
}

export function formatSize({ length }: string): string {
  if (length < 1000) return `${length} characters`
  return length < 1e6 ? `${Math.round(length / 1000)} kB` : `${(length / 1e6).toFixed(1)} MB`
}
