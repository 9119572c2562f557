import { extname } from 'node:path'
import { beginsWith } from '../../system/begins-with.ts'
import type { Comparison } from './compare.ts'
import { comparisonHead, comparisonHtml } from './html.ts'
import { comparisonJson, jsonHead } from './json.ts'
import { comparisonMarkdown, markdownHead } from './markdown.ts'

export interface ComparisonReport {
  render(comparison: Comparison): string
  /** Whether a file is such a report, which may be overwritten. */
  isOurs(path: string): boolean
}

const reports: Record<string, ComparisonReport> = {
  '.md': { render: comparisonMarkdown, isOurs: (path) => beginsWith(path, markdownHead) },
  '.json': { render: comparisonJson, isOurs: (path) => beginsWith(path, jsonHead) },
  '.html': { render: comparisonHtml, isOurs: (path) => beginsWith(path, comparisonHead) },
}

export const comparisonExtensions = Object.keys(reports)

/** Finds a report by the extension of its file. */
export function comparisonReportFor(path: string): ComparisonReport | undefined {
  const extension = extname(path).toLowerCase()
  return Object.hasOwn(reports, extension) ? reports[extension] : undefined
}
