import { useState } from 'preact/hooks'
import { type ExportFormat, exportFormats, exportResults } from './export-results.ts'
import type { ShownGroup } from './filter-rows.ts'
import type { ReportData } from './report-data.ts'

/** Saves the results that the filters show. */
export function ExportMenu({ data, shown }: { data: ReportData; shown: readonly ShownGroup[] }) {
  const [note, setNote] = useState('')
  const save = async (format: ExportFormat) => {
    setNote('preparing…')
    try {
      await exportResults(
        data,
        shown.flatMap(({ matching }) => matching),
        format,
      )
      setNote('')
    } catch (error) {
      setNote(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <details class="menu">
      <summary>Export</summary>
      <div class="menu-items">
        {exportFormats.map((format) => (
          <button key={format} type="button" onClick={() => save(format)}>
            {format}
          </button>
        ))}
        <span role="status">{note}</span>
      </div>
    </details>
  )
}
