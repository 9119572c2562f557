import type { PageResult, PageRow, PageRun } from '../src/reporters/page-data.ts'

export type { PageResult, PageRow, PageRun }

/** The source of the page's data: its own file, or a server. Row i belongs to result i. */
export interface ReportData {
  run: PageRun
  rows: readonly PageRow[]
  load(index: number): Promise<PageResult>
  /** Finds results that contain all these words and reports them as they are found. */
  search(words: readonly string[], listener: SearchListener, signal: AbortSignal): Promise<void>
}

/** Called with the results that were found since the last call, and the share that has been searched. */
export type SearchListener = (found: readonly number[], share: number) => void
