import { createPauses } from './pauses.ts'
import type { PageRow } from './report-data.ts'

const textsByRows = new WeakMap<readonly PageRow[], (string | undefined)[]>()

/** The searchable text of a row in lower case, made once. */
export function rowText(rows: readonly PageRow[], position: number): string {
  let texts = textsByRows.get(rows)
  if (texts === undefined) {
    texts = new Array(rows.length)
    textsByRows.set(rows, texts)
  }
  const known = texts[position]
  if (known !== undefined) return known
  const text = writtenText(rows[position])
  texts[position] = text
  return text
}

/** Makes the texts in advance, with pauses, so that the first search is fast. */
export async function prepareTexts(rows: readonly PageRow[], signal: AbortSignal): Promise<void> {
  const pause = createPauses()
  for (const position of rows.keys()) {
    rowText(rows, position)
    await pause()
    if (signal.aborted) return
  }
}

function writtenText(row: PageRow | undefined): string {
  if (row === undefined) return ''
  const { id, name = '', reason = '', opening = '', tags = [], file } = row
  return [id, name, reason, opening, file, ...tags].join('\n').toLowerCase()
}
