import type { PageResult, PageRow, PageRun } from '../src/reporters/page-data.ts'

export type { PageResult, PageRow, PageRun }

/** Where the page has its data from: the file it stands in, or whoever serves it. Row i belongs to result i. */
export interface ReportData {
  run: PageRun
  rows: readonly PageRow[]
  load(index: number): Promise<PageResult>
  /** Which results have all these words somewhere in them; told as they are found. */
  search(words: readonly string[], listener: SearchListener, signal: AbortSignal): Promise<void>
}

/** Told results that were found since the last call, and the share that has been looked at. */
export type SearchListener = (found: readonly number[], share: number) => void
