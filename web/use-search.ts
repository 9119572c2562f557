import { useEffect, useState } from 'preact/hooks'
import type { ReportData } from './report-data.ts'
import { searchedWords } from './searched-texts.ts'

export interface Search {
  /** Results whose conversation has the words. */
  found: ReadonlySet<number>
  /** The share that has been searched; undefined without a search. */
  share?: number
}

const nothing: Search = { found: new Set() }
const shortestQuery = 2

/** Searches the conversations in the background, shortly after the last key. */
export function useSearch(data: ReportData, query: string): Search {
  const [{ of, search }, setSearch] = useState({ of: '', search: nothing })
  useEffect(() => {
    if (query.trim().length < shortestQuery) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      const found = new Set<number>()
      let shown: ReadonlySet<number> = nothing.found
      const update = (more: readonly number[], share: number) => {
        for (const position of more) found.add(position)
        if (more.length > 0) shown = new Set(found)
        setSearch({ of: query, search: { found: shown, share } })
      }
      update([], 0)
      // If the search fails, rows are still found by what the table shows.
      data.search(searchedWords(query), update, controller.signal).catch(() => update([], 1))
    }, 150)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [data, query])
  // Results of an earlier query do not count.
  return of === query ? search : nothing
}
