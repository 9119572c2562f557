import type { ReportData } from './report-data.ts'
import { toCsv, toMarkdown } from './written-tables.ts'

export const exportFormats = ['JSON', 'CSV', 'Markdown'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Saves these results as a file. */
export async function exportResults(data: ReportData, positions: readonly number[], format: ExportFormat) {
  const rows = () => positions.flatMap((position) => data.rows[position] ?? [])
  if (format === 'CSV') save([toCsv(rows())], 'viva-results.csv', 'text/csv')
  else if (format === 'Markdown') save([toMarkdown(rows())], 'viva-results.md', 'text/markdown')
  else save(await wholeResults(data, positions), 'viva-results.json', 'application/json')
}

/** The number of characters per Blob. */
const partSize = 4e6

/**
 * Made in parts, because a Blob does not use memory of the script. Results are in the order of the run, so that each
 * block of the file is opened only once.
 */
export async function wholeResults(
  { load }: Pick<ReportData, 'load'>,
  positions: readonly number[],
): Promise<Blob[]> {
  const parts: Blob[] = []
  let open = '['
  let separator = '\n'
  for (const position of positions.toSorted((left, right) => left - right)) {
    open += separator + JSON.stringify(await load(position), undefined, 2)
    separator = ',\n'
    if (open.length < partSize) continue
    parts.push(new Blob([open]))
    open = ''
  }
  return [...parts, new Blob([open, positions.length === 0 ? ']\n' : '\n]\n'])]
}

function save(parts: BlobPart[], name: string, type: string) {
  const address = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has started to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
