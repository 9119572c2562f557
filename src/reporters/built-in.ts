import { extname } from 'node:path'
import { beginsWith } from '../system/begins-with.ts'
import { htmlReport, reportHead } from './html-report.ts'
import { isJsonReport, jsonReport } from './json-report.ts'
import { junitReport } from './junit-report.ts'
import { markdownReport } from './markdown-report.ts'
import type { Render } from './report.ts'
import { summaryReport } from './summary-report.ts'

interface BuiltInReport {
  name: string
  extension: string
  render: Render
  /** Whether a file is such a report, which may be overwritten. */
  isOurs(path: string): boolean
}

const reports: readonly BuiltInReport[] = [
  { name: 'report.json', extension: '.json', render: jsonReport, isOurs: isJsonReport },
  builtIn('report.markdown', '.md', markdownReport, '# Agent Test Report\n'),
  builtIn('report.html', '.html', htmlReport, reportHead),
  builtIn('junit', '.xml', junitReport, '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="viva"'),
  builtIn('report.summary', '.txt', summaryReport, 'viva: '),
]

/** `head` is how its files begin. */
function builtIn(name: string, extension: string, render: Render, head: string): BuiltInReport {
  return { name, extension, render, isOurs: (path) => beginsWith(path, head) }
}

/** Finds a report by its name, as `-r` takes it. */
export function findReportByName(name: string): BuiltInReport | undefined {
  return reports.find((report) => report.name === name)
}

/** Finds a report by the extension of its file. */
export function findReportForFile(path: string): BuiltInReport | undefined {
  return reports.find(({ extension }) => extension === extname(path).toLowerCase())
}

export const reportNames = reports.map(({ name }) => name)

export const reportExtensions = reports.map(({ extension }) => extension)
