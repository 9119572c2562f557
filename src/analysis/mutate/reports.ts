import { extname } from 'node:path'
import { beginsWith } from '../../system/begins-with.ts'
import { mutationHtml, mutationHtmlHead } from './html.ts'
import { mutationJson, mutationJsonHead } from './json.ts'
import { mutationMarkdown, mutationMarkdownHead } from './markdown.ts'
import type { Mutation } from './mutation.ts'

export interface MutationReport {
  render(mutation: Mutation): string
  /** Whether a file is such a report, which may be overwritten. */
  isOurs(path: string): boolean
}

const reports: Record<string, MutationReport> = {
  '.html': { render: mutationHtml, isOurs: (path) => beginsWith(path, mutationHtmlHead) },
  '.md': { render: mutationMarkdown, isOurs: (path) => beginsWith(path, mutationMarkdownHead) },
  '.json': { render: mutationJson, isOurs: (path) => beginsWith(path, mutationJsonHead) },
}

export const mutationExtensions = Object.keys(reports)

/** Finds a report by the extension of its file. */
export function mutationReportFor(path: string): MutationReport | undefined {
  const extension = extname(path).toLowerCase()
  return Object.hasOwn(reports, extension) ? reports[extension] : undefined
}
