import type { ReportData } from './report-data.ts'
import { toCsv, toMarkdown } from './written-tables.ts'

export const exportFormats = ['JSON', 'CSV', 'Markdown'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Saves these results as a file. */
export async function exportResults(data: ReportData, positions: readonly number[], format: ExportFormat) {
  const rows = positions.flatMap((position) => data.rows[position] ?? [])
  if (format === 'CSV') save([toCsv(rows)], 'viva-results.csv', 'text/csv')
  else if (format === 'Markdown') save([toMarkdown(rows)], 'viva-results.md', 'text/markdown')
  else save(await wholeResults(data, positions), 'viva-results.json', 'application/json')
}

/** Part by part: one string cannot hold every run. Blocks are opened in their order, each once. */
async function wholeResults(data: ReportData, positions: readonly number[]): Promise<string[]> {
  const texts = new Map<number, string>()
  for (const position of [...positions].sort((left, right) => left - right))
    texts.set(position, JSON.stringify(await data.load(position), undefined, 2))
  const parts = positions.flatMap((position, index) => [
    index === 0 ? '[\n' : ',\n',
    texts.get(position) ?? '',
  ])
  return parts.length === 0 ? ['[]\n'] : [...parts, '\n]\n']
}

function save(parts: string[], name: string, type: string) {
  const address = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
