import { render } from 'preact'
import { App } from './app.tsx'
import { embeddedData } from './embedded-data.ts'
import { Notice } from './notice.tsx'
import { pageTitle } from './page-title.ts'
import type { ReportData } from './report-data.ts'

// The script comes before the data, so that it runs even if the file is incomplete.
addEventListener('DOMContentLoaded', () => {
  const page = document.getElementById('page')
  if (page) void start(page)
})

async function start(root: HTMLElement) {
  root.textContent = ''
  render(<Notice role="status">Opening the report…</Notice>, root)
  let data: ReportData
  try {
    data = await embeddedData(document)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    render(<Notice role="alert">This report cannot be read: {reason}.</Notice>, root)
    return
  }
  document.title = pageTitle(data)
  const show = (printing: boolean) => render(<App data={data} printing={printing} />, root)
  show(false)
  // On paper all rows are needed, and they must be rendered before the event ends, which only `render` does.
  addEventListener('beforeprint', () => show(true))
  addEventListener('afterprint', () => show(false))
}
